import type { JsonObject } from '@heddle/core-api'

/** A message of LangChain, as far as it is read here. Its types are wider, so that this package needs none of it. */
export interface LangChainMessage {
  content: unknown
  id?: string | undefined
  name?: string | undefined
  additional_kwargs?: JsonObject
  response_metadata?: JsonObject
  _getType?(): string
  getType?(): string
}

/** One response of a model. */
export interface LangChainGeneration {
  text?: string
  message?: LangChainMessage
  generationInfo?: JsonObject | undefined
}

/** Responses of a model, one list per prompt. */
export interface LangChainResult {
  generations: readonly (readonly LangChainGeneration[])[]
  llmOutput?: JsonObject | undefined
}

/** Parameters of a model call, as far as callbacks receive them. */
export interface LangChainParams {
  invocation_params?: unknown
}
