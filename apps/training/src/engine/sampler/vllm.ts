import { EngineError, type SamplingSettings, type TokenAlternative } from '../engine.ts'
import { type Json, type SamplerApi, SamplerRefusal } from './sampler-api.ts'
import type { SampledPart, SampleRequest, SamplerDialect } from './sampler-dialect.ts'
import { toStructuredOutput } from './structured-output.ts'

const tokenPrefix = 'token_id:'
/** Sent for tokens that cannot be sampled, since JSON has no infinity. */
const impossible = -9_999
const start = 'start it with --enable-lora and VLLM_ALLOW_RUNTIME_LORA_UPDATING=True'

/** The OpenAI-compatible server of vLLM: prompts as token ids to `/v1/completions`, which returns tokens as their ids. */
export function createVllm(api: SamplerApi): SamplerDialect {
  return {
    name: 'vLLM',
    adaptersHint: `${start}, and a --max-lora-rank that is not below the adapter's`,
    certain: { topK: 1 },
    logProbabilitiesHint: 'start it with --logprobs-mode processed_logprobs',
    async load({ name, path }, signal) {
      try {
        await api.post('v1/load_lora_adapter', { lora_name: name, lora_path: path }, signal)
      } catch (error) {
        if (error instanceof SamplerRefusal && error.reason.includes('already been loaded')) return
        throw error
      }
    },
    unload: async (name, signal) => void (await api.post('v1/unload_lora_adapter', { lora_name: name }, signal)),
    isUnknownAdapter: ({ status, reason }) => status === 404 && reason.includes('does not exist'),
    async *sample(request, { signal, onAccepted }) {
      for await (const event of api.stream('v1/completions', toBody(request), { signal, onAccepted })) {
        const [choice] = Array.isArray(event['choices']) ? (event['choices'] as Json[]) : []
        if (choice) yield readChoice(choice, request.settings, api.url)
      }
    },
  }
}

function toBody({ baseModel, adapter, prompt, settings, seed }: SampleRequest): Json {
  const { constraint, stopTokens, logitBias, topLogProbabilities } = settings
  return {
    model: adapter ?? baseModel,
    prompt: [...prompt],
    stream: true,
    max_tokens: settings.maxTokens,
    min_tokens: settings.minTokens,
    temperature: settings.temperature,
    ...cutsOf(settings),
    frequency_penalty: settings.frequencyPenalty,
    presence_penalty: settings.presencePenalty,
    repetition_penalty: settings.repetitionPenalty,
    ...(logitBias.size > 0 && { logit_bias: Object.fromEntries(logitBias) }),
    seed,
    stop_token_ids: stopTokens,
    // The end of a constrained text is the tokenizer's own end token, whatever ends other texts.
    ignore_eos: constraint === null,
    logprobs: topLogProbabilities,
    return_tokens_as_token_ids: true,
    skip_special_tokens: false,
    ...(constraint && { structured_outputs: toStructuredOutput(constraint) }),
  }
}

/** At temperature 0 nothing is cut. The values that cut nothing are sent too: the generation config of the model may have others. */
function cutsOf({ temperature, topP, topK, minP }: SamplingSettings) {
  return temperature === 0 ? { top_p: 1, top_k: 0, min_p: 0 } : { top_p: topP, top_k: topK, min_p: minP }
}

function readChoice({ logprobs, finish_reason }: Json, { topLogProbabilities }: SamplingSettings, url: string): SampledPart {
  const { tokens, token_logprobs, top_logprobs } = (logprobs ?? {}) as Json
  const texts = Array.isArray(tokens) ? (tokens as unknown[]) : []
  const values = Array.isArray(token_logprobs) ? (token_logprobs as unknown[]) : []
  const tops = Array.isArray(top_logprobs) ? (top_logprobs as (Record<string, number> | null)[]) : []
  return {
    tokens: texts.map((text, at) => ({
      token: readToken(text, url),
      logProbability: readLogProbability(values[at], url),
      top: topLogProbabilities === 0 ? [] : readTop(tops[at], topLogProbabilities, url),
    })),
    finish: readFinish(finish_reason, url),
  }
}

function readTop(top: Record<string, number> | null | undefined, count: number, url: string): TokenAlternative[] {
  // The sampled token is in the list even if it is less likely than the others.
  return Object.entries(top ?? {})
    .map(([text, logProbability]) => ({ token: readToken(text, url), logProbability }))
    .filter(({ logProbability }) => logProbability > impossible)
    .toSorted((left, right) => right.logProbability - left.logProbability)
    .slice(0, count)
}

function readToken(text: unknown, url: string): number {
  const id = typeof text === 'string' && text.startsWith(tokenPrefix) ? Number(text.slice(tokenPrefix.length)) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new EngineError(
    'unavailable',
    `the sampler at ${url} does not return the ids of tokens (return_tokens_as_token_ids), without which a completion cannot be trained on; use a newer vLLM`,
  )
}

function readLogProbability(value: unknown, url: string): number {
  if (typeof value === 'number') return value
  throw new EngineError('unavailable', `the sampler at ${url} returned a token without its log-probability`)
}

function readFinish(reason: unknown, url: string): SampledPart['finish'] {
  if (reason === null || reason === undefined) return null
  if (reason === 'stop' || reason === 'length') return reason
  throw new EngineError(
    'unavailable',
    `the sampler at ${url} ended a completion early (${JSON.stringify(reason).slice(0, 200)}); try again`,
  )
}
