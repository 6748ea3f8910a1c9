import { badRequest } from '@heddle/core-api/internal'
import type { BaseModel, Engine, ModelVersion, SampledToken, SamplingSettings } from '../../../engine/engine.ts'
import { plainSampling } from '../../../engine/plain-sampling.ts'
import type { SampledSequence, SampleOutput, TopTokens } from '../../../engine/tinker/protobuf/messages.ts'
import type { ModelVersions, VersionOf } from '../../../model-versions/model-versions.ts'
import type { ChatTokenizer } from '../../../tokenizer/chat-tokenizer.ts'
import type { Tokenizers } from '../../../tokenizer/tokenizers.ts'
import {
  type CompletionDeadlines,
  type CompletionTimes,
  createCompletionDeadlines,
} from '../../chat-completions/generation/completion-deadlines.ts'
import type { GenerationQueue } from '../../chat-completions/generation/generation-queue.ts'
import { StopTexts } from '../../chat-completions/generation/stop-texts.ts'
import { readSeeds } from '../../chat-completions/request/read-seeds.ts'
import { readStops, type Stops } from './read-stops.ts'
import type { SampleRequest } from './sample-request.ts'

export interface SampleWeightsDeps {
  engine: Pick<Engine, 'generate' | 'score'>
  versions: Pick<ModelVersions, 'hold'>
  tokenizers: Tokenizers
  /** That of chats: samples wait behind these, as rollouts do. */
  queue: GenerationQueue
  times: CompletionTimes
  newSeed: () => bigint
}

export interface ToSample {
  base: BaseModel
  checkpoint: VersionOf['checkpoint']
  /** Id of the key that asks, and of the project of the session. */
  flow: { caller: string; project: string }
  request: SampleRequest
}

/** Samples from weights, and computes log-probabilities of the prompt. @throws ApiError, EngineError */
export type SampleWeights = (toSample: ToSample, signal: AbortSignal) => Promise<SampleOutput>

export function createSampleWeights(deps: SampleWeightsDeps): SampleWeights {
  const { versions, tokenizers, queue, times } = deps
  return async ({ base, checkpoint, flow, request }, signal) => {
    const tokenizer = await tokenizers.of(base.folder)
    const stops = readStops(request.sampling_params.stop, tokenizer)
    const settings = toSettings(request, { base, stops })
    const deadlines = createCompletionDeadlines(times, signal)
    const turn = queue.enter(flow, { completions: request.num_samples, isBulk: true }, deadlines.signal)
    try {
      deadlines.reached('loading')
      const held = await versions.hold({ baseModel: base.id, checkpoint }, deadlines.signal)
      try {
        deadlines.reached('queued')
        await turn.granted
        const { version } = held
        const prompt = await scorePrompt(request, { version, deadlines }, deps)
        const sequences = await sampleAll(request, { version, deadlines, settings, stops, tokenizer }, deps)
        return { sequences, ...prompt }
      } finally {
        held.release()
      }
    } finally {
      deadlines.end()
      turn.leave()
    }
  }
}

function toSettings(
  { prompt, sampling_params: params, topk_sample_logprobs }: SampleRequest,
  { base, stops }: { base: BaseModel; stops: Stops },
): SamplingSettings {
  const free = base.contextLength - prompt.length
  if (free < 1) throw badRequest(`prompt has ${prompt.length} tokens, and ${base.id} takes ${base.contextLength} with at least one sampled`)
  const { temperature, top_p: topP, top_k: topK } = params
  const maxTokens = Math.min(params.max_tokens ?? free, free)
  if (maxTokens < 1) throw badRequest(`sampling_params.max_tokens is ${params.max_tokens}; a sample has at least one token`)
  if (temperature < 0 || temperature > 100) throw badRequest(`sampling_params.temperature is ${temperature}; it may be from 0 to 100`)
  if (topP <= 0 || topP > 1) throw badRequest(`sampling_params.top_p is ${topP}; it may be above 0 and at most 1`)
  if (topK < -1) throw badRequest(`sampling_params.top_k is ${topK}; it may be -1 or 0 for all tokens, or a number of tokens`)
  return {
    ...plainSampling,
    maxTokens,
    temperature,
    topP,
    topK: Math.max(0, topK),
    stopTokens: stops.tokens,
    topLogProbabilities: topk_sample_logprobs,
  }
}

interface Sampling {
  version: ModelVersion
  deadlines: CompletionDeadlines
}

interface SamplingAll extends Sampling {
  settings: SamplingSettings
  stops: Stops
  tokenizer: ChatTokenizer
}

async function sampleAll(
  { prompt, num_samples, sampling_params: { seed }, topk_sample_logprobs }: SampleRequest,
  { version, deadlines, settings, stops, tokenizer }: SamplingAll,
  { engine, newSeed }: Pick<SampleWeightsDeps, 'engine' | 'newSeed'>,
): Promise<SampledSequence[]> {
  const seeds = readSeeds(seed, num_samples, newSeed)
  const samples = seeds.map(() => new SampleInProgress(stops, tokenizer))
  deadlines.reached('loading')
  try {
    for await (const sampled of engine.generate({ version, prompt, settings, seeds }, deadlines.signal, ({ part }) =>
      deadlines.reached(part),
    )) {
      deadlines.reached('tokens')
      for (const token of sampled) samples[token.completion]!.push(token)
      if (samples.every(({ stopReason }) => stopReason !== null)) break
    }
  } catch (error) {
    throw deadlines.signal.aborted ? deadlines.signal.reason : error
  }
  return samples.map((sample) => sample.toSequence(topk_sample_logprobs > 0))
}

/** One sample: its tokens up to the end of the text that stops it. */
class SampleInProgress {
  stopReason: 'stop' | 'length' | null = null
  readonly #tokens: SampledToken[] = []
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  readonly #stops: StopTexts | null
  readonly #tokenizer: ChatTokenizer

  constructor({ texts }: Stops, tokenizer: ChatTokenizer) {
    this.#stops = texts.length === 0 ? null : new StopTexts(texts, true)
    this.#tokenizer = tokenizer
  }

  /** Tokens behind the end, which the engine cannot know, are not part of it. */
  push(sampled: SampledToken): void {
    if (this.stopReason !== null) return
    this.#tokens.push(sampled)
    const text = this.#stops && this.#decoder.decode(this.#tokenizer.bytesOf(sampled.token), { stream: true })
    const isStopped = text !== null && this.#stops!.push(text).stop !== null
    this.stopReason = isStopped ? 'stop' : sampled.finish
  }

  toSequence(withTop: boolean): SampledSequence {
    return {
      stopReason: this.stopReason ?? 'length',
      tokens: Int32Array.from(this.#tokens, ({ token }) => token),
      logProbabilities: Float32Array.from(this.#tokens, ({ logProbability }) => logProbability),
      ...(withTop && { top: this.#tokens.map(({ top }) => top) }),
    }
  }
}

/** Nothing predicts the first token. */
async function scorePrompt(
  { prompt, prompt_logprobs, prompt_logprobs_last_n: lastN, topk_prompt_logprobs: top }: SampleRequest,
  { version, deadlines }: Sampling,
  { engine }: Pick<SampleWeightsDeps, 'engine'>,
): Promise<{ promptLogProbabilities: Float32Array | null; promptTop?: TopTokens }> {
  if (!prompt_logprobs && top === 0) return { promptLogProbabilities: null }
  const first = Math.max(1, prompt.length - (lastN ?? prompt.length))
  const scored = Uint8Array.from(prompt, (_, at) => (at >= first ? 1 : 0))
  deadlines.reached('prompt')
  const result = await engine.score(version, [{ tokens: prompt, scored, top }], deadlines.signal)
  const values = result.logProbabilities[0]!
  return {
    promptLogProbabilities: prompt_logprobs ? values.map((value, at) => (at >= first ? value : Number.NaN)) : null,
    ...(top > 0 && { promptTop: result.top?.[0] ?? [] }),
  }
}
