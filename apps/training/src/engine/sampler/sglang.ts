import { EngineError, type SamplingSettings, type TokenAlternative } from '../engine.ts'
import { type Json, type SamplerApi, SamplerRefusal } from './sampler-api.ts'
import type { SampledPart, SampleRequest, SamplerDialect } from './sampler-dialect.ts'
import { toStructuredOutput } from './structured-output.ts'

/** A log-probability, the id of its token, and perhaps its text. */
type Entry = [number, number, unknown?]

/** SGLang by its own `/generate`, since its `/v1/completions` does not return token ids. */
export function createSglang(api: SamplerApi): SamplerDialect {
  return {
    name: 'SGLang',
    adaptersHint: 'start it with --enable-lora, a --max-lora-rank that is not below the rank of the adapter and --lora-target-modules all',
    // Its shares at this temperature are those of one token, unless they are reported as at temperature 1.
    certain: { temperature: 0.001 },
    logProbabilitiesHint: 'start it without SGLANG_RETURN_ORIGINAL_LOGPROB',
    async load({ name, path }, signal) {
      try {
        await api.post('load_lora_adapter', { lora_name: name, lora_path: path }, signal)
      } catch (error) {
        if (error instanceof SamplerRefusal && error.reason.includes('already exists')) return
        throw error
      }
    },
    unload: async (name, signal) => void (await api.post('unload_lora_adapter', { lora_name: name }, signal)),
    isUnknownAdapter: ({ reason }) => reason.includes('not loaded'),
    async *sample(request, { signal, onAccepted }) {
      assertSupported(request.settings)
      let sampled = 0
      for await (const { meta_info } of api.stream('generate', toBody(request), { signal, onAccepted })) {
        const { completion_tokens, output_token_logprobs, output_top_logprobs, finish_reason } = (meta_info ?? {}) as Json
        const total = Number(completion_tokens)
        const count = total - sampled
        sampled = total
        const entries = newest<Entry>(output_token_logprobs, count)
        const tops = newest<Entry[] | null>(output_top_logprobs, count)
        if (entries.length !== count) throw new EngineError('unavailable', `the sampler at ${api.url} returned tokens without their ids`)
        yield { tokens: entries.map((entry, at) => toToken(entry, tops[at])), finish: readFinish(finish_reason, api.url) }
      }
    },
  }
}

/** The last ones: a part of a stream has all tokens so far, or only its own. */
function newest<T>(list: unknown, count: number): T[] {
  return Array.isArray(list) && count > 0 ? (list as T[]).slice(-count) : []
}

/** @throws EngineError `unsupported` */
function assertSupported({ topP, topK, minP, temperature }: SamplingSettings): void {
  const isCut = temperature > 0
  const cuts: [string, boolean][] = [
    ['top_p', isCut && topP < 1],
    ['top_k', isCut && topK > 0],
    ['min_p', isCut && minP > 0],
  ]
  const cut = cuts.find(([, isSet]) => isSet)
  if (cut)
    throw new EngineError(
      'unsupported',
      `SGLang reports log-probabilities from before ${cut[0]}, which are not those of what it samples; leave ${cut[0]} out, or use vLLM`,
    )
}

function toBody({ adapter, prompt, settings, seed }: SampleRequest): Json {
  const { constraint, logitBias, stopTokens, topLogProbabilities } = settings
  return {
    input_ids: [...prompt],
    ...(adapter !== null && { lora_path: adapter }),
    sampling_params: {
      max_new_tokens: settings.maxTokens,
      min_new_tokens: settings.minTokens,
      temperature: settings.temperature,
      top_p: 1,
      top_k: -1,
      min_p: 0,
      frequency_penalty: settings.frequencyPenalty,
      presence_penalty: settings.presencePenalty,
      repetition_penalty: settings.repetitionPenalty,
      sampling_seed: seed,
      stop_token_ids: stopTokens,
      // The end of a constrained text is the tokenizer's own end token, whatever ends other texts.
      ignore_eos: constraint === null,
      skip_special_tokens: false,
      ...(logitBias.size > 0 && { logit_bias: Object.fromEntries(logitBias) }),
      ...(constraint && toStructuredParams(toStructuredOutput(constraint))),
    },
    return_logprob: true,
    top_logprobs_num: topLogProbabilities,
    stream: true,
  }
}

function toStructuredParams(output: ReturnType<typeof toStructuredOutput>): Json {
  if ('json' in output) return { json_schema: JSON.stringify(output.json) }
  return { structural_tag: output.structural_tag }
}

function toToken([logProbability, token]: Entry, top: Entry[] | null | undefined): SampledPart['tokens'][number] {
  const alternatives = (top ?? []).map(([value, id]): TokenAlternative => ({ token: id, logProbability: value }))
  return { token, logProbability, top: alternatives }
}

function readFinish(reason: unknown, url: string): SampledPart['finish'] {
  if (reason === null || reason === undefined) return null
  const { type, message } = reason as { type?: unknown; message?: unknown }
  if (type === 'stop' || type === 'length') return type
  throw new EngineError(
    'unavailable',
    `the sampler at ${url} ended a completion early (${String(message ?? type).slice(0, 200)}); try again`,
  )
}
