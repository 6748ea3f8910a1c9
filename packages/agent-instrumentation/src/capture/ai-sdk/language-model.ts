import type { JsonObject } from '@heddle/core-api'

/** Arguments of a model call in the AI SDK, as far as they are read here. Its own types are wider; declaring these avoids a dependency on it. */
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
  /** Version of the interface between the AI SDK and providers: `v2` in AI SDK 5, `v3` in 6, `v4` in 7. */
  specificationVersion: string
  modelId: string
  provider: string
}
