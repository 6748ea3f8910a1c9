import type { JsonObject } from '@heddle/core-api'

/** What the AI SDK calls a model with, as far as it is read here. Its types are wider, so that this package needs none of it. */
export interface CallOptions {
  prompt: readonly PromptMessage[]
  tools?: readonly { type: string; name: string; description?: string; inputSchema?: unknown }[] | undefined
  providerOptions?: Record<string, JsonObject> | undefined
}

export interface PromptMessage {
  role: string
  content: string | readonly Part[]
}

/** A part of a message, of a response, or of a stream. */
export interface Part {
  type: string
}

export interface GeneratedResult {
  content: readonly Part[]
  finishReason: unknown
  providerMetadata?: Record<string, unknown> | undefined
  response?: { modelId?: string | undefined; headers?: Record<string, string> | undefined } | undefined
}

export interface StreamedResult {
  stream: ReadableStream<Part>
  response?: { headers?: Record<string, string> | undefined } | undefined
}

export interface CalledModel {
  /** Of the interface between the AI SDK and providers: `v2` of AI SDK 5, `v3` of 6, `v4` of 7. */
  specificationVersion: string
  modelId: string
  provider: string
}
