import { badRequest } from '@heddle/core-api/internal'
import type { TinkerSamplingParams } from '@heddle/core-api/types'

/** A checked request for samples. */
export interface SampleRequest {
  prompt: Int32Array
  num_samples: number
  sampling_params: TinkerSamplingParams
  prompt_logprobs: boolean
  /** Null: all. */
  prompt_logprobs_last_n: number | null
  /** 0 to 20. */
  topk_prompt_logprobs: number
  topk_sample_logprobs: number
}

interface SampleBody extends Omit<SampleRequest, 'prompt'> {
  prompt: { chunks: { type: string; tokens: number[] | null }[] }
  target_prompt_logprobs: unknown
  prompt_alt_tokens_k: number
  record_stability_info: boolean | null
}

/** @throws ApiError 400 that names the field that is not supported, or does not fit */
export function readSampleRequest(body: SampleBody): SampleRequest {
  const unsupported: [string, boolean][] = [
    ['target_prompt_logprobs', body.target_prompt_logprobs !== null],
    ['prompt_alt_tokens_k', body.prompt_alt_tokens_k > 0],
    ['record_stability_info', body.record_stability_info === true],
  ]
  const found = unsupported.find(([, isSet]) => isSet)
  if (found) throw badRequest(`${found[0]} is not supported by this server; ${wayOutOf(found[0])}`)
  const { num_samples, sampling_params, prompt_logprobs, prompt_logprobs_last_n, topk_prompt_logprobs, topk_sample_logprobs } = body
  const prompt = toTokens(body.prompt)
  if (prompt_logprobs_last_n !== null && (prompt_logprobs_last_n < 1 || prompt_logprobs_last_n >= prompt.length))
    throw badRequest(
      `prompt_logprobs_last_n is ${prompt_logprobs_last_n}; for a prompt of ${prompt.length} tokens it may be 1 to ${prompt.length - 1}`,
    )
  return { prompt, num_samples, sampling_params, prompt_logprobs, prompt_logprobs_last_n, topk_prompt_logprobs, topk_sample_logprobs }
}

/** Recipes ask for information about stability by themselves, where their loss needs it. */
const wayOutOf = (field: string) =>
  field === 'record_stability_info' ? 'train with another loss than stable_reinforce, such as importance_sampling' : 'leave it out'

function toTokens({ chunks }: SampleBody['prompt']): Int32Array {
  const other = chunks.find(({ type }) => type !== 'encoded_text')
  if (other) throw badRequest(`prompt has a chunk of type ${JSON.stringify(other.type)}; only encoded_text is taken`)
  const tokens = chunks.flatMap((chunk) => chunk.tokens ?? [])
  if (tokens.length === 0) throw badRequest('prompt has no tokens; send at least one')
  const wrong = tokens.find((token) => token < 0 || token > 2 ** 31 - 1)
  if (wrong !== undefined) throw badRequest(`prompt has the token ${wrong}, which no vocabulary has`)
  return Int32Array.from(tokens)
}
