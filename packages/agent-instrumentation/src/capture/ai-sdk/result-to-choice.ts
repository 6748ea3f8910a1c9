import type { JsonObject } from '@heddle/core-api'
import type { Choice } from '@heddle/core-api/histories'
import { isJsonObject, objectsOf } from '../json-values.ts'
import type { Completion } from '../model-api.ts'
import type { GeneratedResult, Part } from './language-model.ts'
import { toAssistantMessage } from './prompt-to-messages.ts'

const finishReasons: Readonly<Record<string, string>> = {
  stop: 'stop',
  length: 'length',
  'tool-calls': 'tool_calls',
  'content-filter': 'content_filter',
}

/** The single choice of a result of the AI SDK. */
export function toCompletion(
  { content, finishReason, providerMetadata, response }: GeneratedResult,
  way: 'generate' | 'stream',
): Completion {
  const reason = finishReasons[unifiedReason(finishReason)] ?? null
  const choice: Choice = {
    index: 0,
    finish_reason: reason,
    message: { refusal: null, ...toAssistantMessage(objectsOf(content)) },
    logprobs: toLogprobs(providerMetadata, way),
  }
  const isEmpty = content.length === 0 && reason === null
  return { choices: isEmpty ? [] : [choice], model: response?.modelId, isComplete: reason !== null, responseIds: [] }
}

/** Finish reason: a string in AI SDK 5; later versions have an object that also holds the provider's own reason. */
function unifiedReason(reason: unknown): string {
  return String(isJsonObject(reason) ? reason['unified'] : reason)
}

/**
 * Providers put log-probabilities in their own metadata, under their name: a list, or one list per text. A plain list in a stream covers only the
 * last chunk, so it is ignored: training on a choice with some of its log-probabilities would be wrong.
 */
function toLogprobs(metadata: GeneratedResult['providerMetadata'], way: 'generate' | 'stream'): JsonObject | null {
  const found = Object.values(metadata ?? {}).map((provider) => (isJsonObject(provider) ? provider['logprobs'] : undefined))
  const list: unknown[] = found.find(Array.isArray) ?? []
  if (way === 'stream' && !list.every(Array.isArray)) return null
  const entries = objectsOf(list.flat()).filter(({ logprob }) => typeof logprob === 'number')
  return entries.length === 0 ? null : { content: entries, refusal: null }
}

/** Puts the parts of a streamed result together. */
export function createPartReader(): { add(part: Part): void; result(): GeneratedResult } {
  const texts = new Map<string, JsonObject>()
  const content: JsonObject[] = []
  const result: { finishReason: unknown; providerMetadata?: Record<string, unknown>; response?: { modelId?: string } } = {
    finishReason: undefined,
  }

  function addText(id: string, delta: string) {
    const text = texts.get(id) ?? { type: 'text', text: '' }
    if (!texts.has(id)) content.push(text)
    texts.set(id, text)
    text['text'] = `${String(text['text'])}${delta}`
  }

  return {
    add(part) {
      const { type, id, delta, finishReason, providerMetadata, modelId } = part as unknown as JsonObject
      if (type === 'text-delta') addText(String(id), String(delta))
      if (type === 'tool-call') content.push(part as unknown as JsonObject)
      if (type === 'response-metadata' && typeof modelId === 'string') result.response = { modelId }
      if (type !== 'finish') return
      result.finishReason = finishReason
      if (isJsonObject(providerMetadata)) result.providerMetadata = providerMetadata
    },
    result: () => ({ ...result, content: content as unknown as Part[] }),
  }
}
