import {
  EngineError,
  type ScoredSequence,
  type ScoreResult,
  type GenerateRequest,
  type GenerationProgress,
  type ModelVersion,
  type SampledToken,
  type SamplingSettings,
} from '../engine.ts'
import { decodeSampleOutput, type SampleOutput } from './protobuf/messages.ts'
import { readSampleJson } from './json/messages.ts'
import type { ServedModels } from './served-models.ts'
import { type TinkerApi, textField } from './tinker-api.ts'
import type { TinkerSession } from './tinker-session.ts'

/** Requests for samples at a time. */
const atATime = 32
/** Weights whose sampling session is remembered. */
const maxSessions = 256

export interface TinkerSamplingOptions {
  api: TinkerApi
  session: TinkerSession
  served: ServedModels
  /** The server's name of a base model. */
  remoteName: (baseModel: string, signal: AbortSignal) => Promise<string>
}

/** A base model by its name on the server, or saved weights by their address. */
type Weights = { base_model: string; model_path?: never } | { model_path: string }

interface SampleCall {
  /** Fields of the request body. */
  body: object
  /** Called when the server has taken the request, and works on it. */
  onAccepted: (() => void) | undefined
}

interface ToSample {
  prompt: Int32Array
  params: object
  onAccepted?: () => void
}

export interface TinkerSampling {
  generate(
    request: GenerateRequest,
    signal: AbortSignal,
    onProgress?: (progress: GenerationProgress) => void,
  ): AsyncIterable<readonly SampledToken[]>
  score(version: ModelVersion, batch: readonly ScoredSequence[], signal: AbortSignal): Promise<ScoreResult>
}

export function createTinkerSampling({ api, session, served, remoteName }: TinkerSamplingOptions): TinkerSampling {
  const sessions = new Map<string, Promise<string>>()

  async function openSession(weights: Weights, signal: AbortSignal): Promise<string> {
    const body = { session_id: await session.id(signal), sampling_session_seq_id: session.nextNumber('sampling'), ...weights }
    return textField(await api.post('create_sampling_session', body, { signal }), 'sampling_session_id')
  }

  /** By the weights. */
  async function sessionOf(address: string, weights: Weights, signal: AbortSignal): Promise<string> {
    const known = sessions.get(address) ?? openSession(weights, signal)
    sessions.delete(address)
    sessions.set(address, known)
    for (const other of sessions.keys()) if (sessions.size > maxSessions) sessions.delete(other)
    try {
      return await known
    } catch (error) {
      sessions.delete(address)
      throw error
    }
  }

  let sequence = 0
  async function sampleWeights(weights: Weights, { body, onAccepted }: SampleCall, signal: AbortSignal): Promise<SampleOutput> {
    const address = weights.model_path ?? weights.base_model
    const id = await sessionOf(address, weights, signal)
    try {
      const promised = await api.post('asample', { sampling_session_id: id, seq_id: ++sequence, ...body }, { signal })
      onAccepted?.()
      const result = await api.result(textField(promised, 'request_id'), signal)
      return result.kind === 'message' ? decodeSampleOutput(result.bytes) : readSampleJson(result.value)
    } catch (error) {
      // The session may be one that the server forgot: the next request opens another.
      sessions.delete(address)
      throw error
    }
  }

  async function sample(version: ModelVersion, { prompt, params, onAccepted }: ToSample, signal: AbortSignal): Promise<SampleOutput> {
    const call = { body: { prompt: { chunks: [{ type: 'encoded_text', tokens: [...prompt] }] }, ...params }, onAccepted }
    const { folder } = version
    if (folder === null) return sampleWeights({ base_model: await remoteName(version.baseModel, signal) }, call, signal)
    return served.sampleFrom({ ...version, folder }, (address) => sampleWeights({ model_path: address }, call, signal), signal)
  }

  return {
    async *generate({ version, prompt, settings, seeds }, signal, onProgress) {
      assertSupported(settings)
      const [first] = seeds
      if (first === undefined) return
      // One request for all: the server computes the prompt once, and answers when the longest is finished.
      const params = { num_samples: seeds.length, sampling_params: toSamplingParams(settings, first) }
      const { sequences } = await sample(version, { prompt, params, onAccepted: () => onProgress?.({ part: 'remote' }) }, signal)
      if (sequences.length !== seeds.length)
        throw new EngineError('unavailable', `the training server returned ${sequences.length} of ${seeds.length} completions`)
      for (const [completion, sequence] of sequences.entries()) yield toTokens(sequence, completion)
    },
    async score(version, batch, signal) {
      if (batch.some(({ top }) => top))
        throw new EngineError(
          'unsupported',
          'alternatives for the tokens of a prompt are not reported by the training server; set logprobs to 0',
        )
      const logProbabilities: Float32Array[] = batch.map(({ tokens }) => new Float32Array(tokens.length))
      const params = { num_samples: 1, sampling_params: { max_tokens: 1, temperature: 1 }, prompt_logprobs: true }
      const work = inOrderOfCompletion(batch, async ({ tokens, scored }, at) => {
        const { promptLogProbabilities } = await sample(version, { prompt: tokens, params }, signal)
        // The first token has no prediction, so servers send an empty value for it, or omit it.
        const missing = tokens.length - (promptLogProbabilities?.length ?? 0)
        if (!promptLogProbabilities || missing < 0 || missing > 1)
          throw new EngineError('unsupported', 'the training server returns no log-probabilities of prompts')
        logProbabilities[at] = Float32Array.from(scored, (mark, t) => (mark === 1 ? promptLogProbabilities[t - missing]! : 0))
      })
      for await (const _ of work) signal.throwIfAborted()
      return { logProbabilities, entropies: batch.map(({ scored }) => Float32Array.from(scored, (mark) => (mark === 1 ? Number.NaN : 0))) }
    },
  }
}

/** Runs a bounded number concurrently, and yields results as they complete. */
async function* inOrderOfCompletion<T, R>(items: readonly T[], run: (item: T, at: number) => Promise<R>): AsyncGenerator<R> {
  const running = new Map<number, Promise<{ at: number; result: R }>>()
  let next = 0
  while (next < items.length || running.size > 0) {
    while (next < items.length && running.size < atATime) {
      const at = next++
      running.set(
        at,
        run(items[at]!, at).then((result) => ({ at, result })),
      )
    }
    const { at, result } = await Promise.race(running.values())
    running.delete(at)
    yield result
  }
}

/** @throws EngineError `unsupported` that names what the protocol has no word for */
function assertSupported(settings: SamplingSettings): void {
  const { constraint, minP, frequencyPenalty, presencePenalty, repetitionPenalty, logitBias, minTokens, topLogProbabilities } = settings
  const unsupported: [string, boolean][] = [
    ['forced forms of answers (response_format, tool_choice, parallel_tool_calls, strict tools)', constraint !== null],
    ['min_p', minP !== 0],
    ['frequency_penalty', frequencyPenalty !== 0],
    ['presence_penalty', presencePenalty !== 0],
    ['repetition_penalty', repetitionPenalty !== 1],
    ['logit_bias', logitBias.size > 0],
    ['min_tokens', minTokens > 0],
    ['top_logprobs', topLogProbabilities > 0],
  ]
  const found = unsupported.find(([, isSet]) => isSet)
  if (found) throw new EngineError('unsupported', `models on a training server do not support ${found[0]}; leave it out`)
}

/** Servers take seeds of 31 bits, and count up from there for the samples of a request. */
function toSamplingParams({ maxTokens, temperature, topP, topK, stopTokens }: SamplingSettings, seed: bigint) {
  return {
    max_tokens: maxTokens,
    temperature,
    top_p: topP,
    top_k: topK === 0 ? -1 : topK,
    seed: Number(BigInt.asUintN(30, seed)),
    ...(stopTokens.length > 0 ? { stop: stopTokens } : {}),
  }
}

function toTokens(sequence: SampleOutput['sequences'][number], completion: number): SampledToken[] {
  if (sequence.tokens.length === 0) throw new EngineError('unavailable', 'the training server sampled nothing')
  const last = sequence.tokens.length - 1
  return Array.from(sequence.tokens, (token, at) => ({
    completion,
    token,
    logProbability: sequence.logProbabilities[at]!,
    top: [],
    finish: at === last ? sequence.stopReason : null,
  }))
}
