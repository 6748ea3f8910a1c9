import type { JsonObject } from '@heddle/core-api'

export interface ImageInputs {
  model: string
  prompt: string
  n: number | null
}

/** Request to a provider for `model`, under the provider's name for it. */
export function toImageRequest(model: string, { prompt, n }: ImageInputs): JsonObject {
  const request = { model, prompt, size: '1024x1024' }
  if (model.startsWith('gpt-image-1')) return { ...request, n: n ?? 1, quality: 'high' }
  if (model === 'dall-e-3') return { ...request, n: 1, quality: 'standard', style: 'natural', response_format: 'url' }
  return { ...request, n: n ?? 1, response_format: 'url' }
}

/** The answer of a provider, with the model and with the counts of tokens under the names that usage has elsewhere. */
export function toImageResponse(model: string, answer: JsonObject): JsonObject {
  const { usage } = answer
  return isCounts(usage) ? { ...answer, model, usage: { ...usage, ...filledCounts(usage) } } : { ...answer, model }
}

function filledCounts(usage: JsonObject): JsonObject {
  return {
    prompt_tokens: usage['prompt_tokens'] ?? usage['input_tokens'] ?? 0,
    completion_tokens: usage['completion_tokens'] ?? usage['output_tokens'] ?? usage['total_tokens'] ?? 0,
    total_tokens: usage['total_tokens'] ?? 0,
  }
}

function isCounts(usage: unknown): usage is JsonObject {
  return typeof usage === 'object' && usage !== null && !Array.isArray(usage)
}
