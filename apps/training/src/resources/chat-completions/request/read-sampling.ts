import type { ChatCompletionRequest } from '@heddle/core-api/types'
import type { SamplingSettings } from '../../../engine/engine.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import { refuse } from './refuse.ts'

type Numbers = 'temperature' | 'top_p' | 'min_p' | 'frequency_penalty' | 'presence_penalty' | 'repetition_penalty'

/** Permitted range of each number; `above` is not included. */
const ranges: Readonly<Record<Numbers, { defaultValue: number; min?: number; above?: number; max: number }>> = {
  temperature: { defaultValue: 1, min: 0, max: 100 },
  top_p: { defaultValue: 1, above: 0, max: 1 },
  min_p: { defaultValue: 0, min: 0, max: 1 },
  frequency_penalty: { defaultValue: 0, min: -2, max: 2 },
  presence_penalty: { defaultValue: 0, min: -2, max: 2 },
  repetition_penalty: { defaultValue: 1, above: 0, max: 100 },
}

export interface SamplingContext {
  tokenizer: Pick<ChatTokenizer, 'special' | 'vocabularySize'>
  /** Tokens that fit behind the prompt. */
  freeTokens: number
  constraint: SamplingSettings['constraint']
}

/** @throws ApiError 400 that names the field whose value is out of range */
export function readSampling(request: ChatCompletionRequest, { tokenizer, freeTokens, constraint }: SamplingContext): SamplingSettings {
  const number = (field: Numbers) => inRange(field, request[field])
  const maxTokens = readMaxTokens(request, freeTokens)
  const minTokens = request.min_tokens ?? 0
  if (minTokens > maxTokens) throw refuse('min_tokens', `is ${minTokens}, and the completion can have ${maxTokens} tokens`)
  const topK = request.top_k ?? 0
  if (topK < -1) throw refuse('top_k', `is ${topK}; it may be -1 or 0 for all tokens, or a number of tokens`)
  return {
    maxTokens,
    temperature: number('temperature'),
    topP: number('top_p'),
    topK: Math.max(0, topK),
    minP: number('min_p'),
    frequencyPenalty: number('frequency_penalty'),
    presencePenalty: number('presence_penalty'),
    repetitionPenalty: number('repetition_penalty'),
    logitBias: readLogitBias(request.logit_bias, tokenizer.vocabularySize),
    stopTokens: readStopTokens(request, tokenizer),
    minTokens,
    constraint,
    topLogProbabilities: request.top_logprobs ?? 0,
  }
}

function inRange(field: Numbers, given: number | null): number {
  const { defaultValue, min = -Infinity, above = -Infinity, max } = ranges[field]
  const value = given ?? defaultValue
  if (value >= min && value > above && value <= max) return value
  const bound = above > -Infinity ? `above ${above} and at most ${max}` : `from ${min} to ${max}`
  throw refuse(field, `is ${value}; it may be ${bound}`)
}

function readMaxTokens({ max_completion_tokens, max_tokens }: ChatCompletionRequest, freeTokens: number): number {
  const field = max_completion_tokens === null ? 'max_tokens' : 'max_completion_tokens'
  const requested = max_completion_tokens ?? max_tokens ?? freeTokens
  if (requested < 1) throw refuse(field, `is ${requested}; a completion has at least one token`)
  return Math.min(requested, freeTokens)
}

function readLogitBias(bias: ChatCompletionRequest['logit_bias'], vocabularySize: number): Map<number, number> {
  const entries = Object.entries(bias ?? {}).map(([key, value]): [number, number] => {
    const id = /^\d{1,9}$/.test(key) ? Number(key) : -1
    if (id < 0 || id >= vocabularySize)
      throw refuse('logit_bias', `names the token ${JSON.stringify(key.slice(0, 50))}; ids are 0 to ${vocabularySize - 1}`)
    if (value < -100 || value > 100) throw refuse('logit_bias', `is ${value} for token ${id}; it may be from -100 to 100`)
    return [id, value]
  })
  return new Map(entries)
}

function readStopTokens(
  { stop_token_ids, ignore_eos }: ChatCompletionRequest,
  { special, vocabularySize }: SamplingContext['tokenizer'],
): number[] {
  const requested = stop_token_ids ?? []
  const unknown = requested.find((id) => id < 0 || id >= vocabularySize)
  if (unknown !== undefined) throw refuse('stop_token_ids', `has ${unknown}; ids are 0 to ${vocabularySize - 1}`)
  return [...new Set([...(ignore_eos ? [] : special.stop), ...requested])]
}
