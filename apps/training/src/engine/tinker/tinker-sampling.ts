import {
  EngineError,
  type ForwardResult,
  type GenerateRequest,
  type ModelVersion,
  type SampledToken,
  type SamplingSettings,
  type TokenSequence,
} from '../engine.ts'
import { decodeSampleOutput, type SampleOutput } from './protobuf/messages.ts'
import { readRemotePaths } from './remote-paths.ts'
import { type TinkerApi, textField } from './tinker-api.ts'
import type { TinkerSession } from './tinker-session.ts'

/** Requests for samples at a time. */
const atATime = 32
/** Versions whose sampling session is remembered. */
const maxSessions = 256

export interface TinkerSamplingOptions {
  api: TinkerApi
  session: TinkerSession
  /** What the server calls a base model. */
  remoteName: (baseModel: string, signal: AbortSignal) => Promise<string>
}

export interface TinkerSampling {
  generate(request: GenerateRequest, signal: AbortSignal): AsyncIterable<readonly SampledToken[]>
  score(version: ModelVersion, batch: readonly TokenSequence[], signal: AbortSignal): Promise<ForwardResult>
  unload(keyPrefix: string): void
}

export function createTinkerSampling({ api, session, remoteName }: TinkerSamplingOptions): TinkerSampling {
  const sessions = new Map<string, Promise<string>>()

  async function openSession({ baseModel, folder }: ModelVersion, signal: AbortSignal): Promise<string> {
    const path = folder === null ? null : (await readRemotePaths(folder)).sampler
    const weights = path === null ? { base_model: await remoteName(baseModel, signal) } : { model_path: path }
    const body = { session_id: await session.id(signal), sampling_session_seq_id: session.nextNumber('sampling'), ...weights }
    return textField(await api.post('create_sampling_session', body, { signal }), 'sampling_session_id')
  }

  async function sessionOf(version: ModelVersion, signal: AbortSignal): Promise<string> {
    const known = sessions.get(version.key) ?? openSession(version, signal)
    sessions.delete(version.key)
    sessions.set(version.key, known)
    for (const key of sessions.keys()) if (sessions.size > maxSessions) sessions.delete(key)
    try {
      return await known
    } catch (error) {
      sessions.delete(version.key)
      throw error
    }
  }

  let sequence = 0
  async function sample(version: ModelVersion, prompt: Int32Array, params: object, signal: AbortSignal): Promise<SampleOutput> {
    const id = await sessionOf(version, signal)
    const body = {
      sampling_session_id: id,
      seq_id: ++sequence,
      prompt: { chunks: [{ type: 'encoded_text', tokens: [...prompt] }] },
      ...params,
    }
    try {
      const promised = await api.post('asample', body, { signal })
      const result = await api.result(textField(promised, 'request_id'), signal)
      if (result.kind === 'message') return decodeSampleOutput(result.bytes)
    } catch (error) {
      // The session may be one that the server forgot: the next request opens another.
      sessions.delete(version.key)
      throw error
    }
    throw new EngineError('unavailable', 'the training server speaks the JSON dialect, which is not supported')
  }

  return {
    async *generate({ version, prompt, settings, seeds }, signal) {
      assertSupported(settings)
      const [first] = seeds
      if (first === undefined) return
      // One request for all: the server computes the prompt once, and answers when the longest is finished.
      const params = { num_samples: seeds.length, sampling_params: toSamplingParams(settings, first) }
      const { sequences } = await sample(version, prompt, params, signal)
      if (sequences.length !== seeds.length)
        throw new EngineError('unavailable', `the training server returned ${sequences.length} of ${seeds.length} completions`)
      for (const [completion, sequence] of sequences.entries()) yield toTokens(sequence, completion)
    },
    async score(version, batch, signal) {
      const logProbabilities: Float32Array[] = batch.map(({ tokens }) => new Float32Array(tokens.length))
      const params = { num_samples: 1, sampling_params: { max_tokens: 1, temperature: 1 }, prompt_logprobs: true }
      const work = inOrderOfCompletion(batch, async ({ tokens, scored }, at) => {
        const { promptLogProbabilities } = await sample(version, tokens, params, signal)
        // Nothing predicts the first token, so servers say that there is no value for it, or leave it out.
        const missing = tokens.length - (promptLogProbabilities?.length ?? 0)
        if (!promptLogProbabilities || missing < 0 || missing > 1)
          throw new EngineError('unsupported', 'the training server returns no log-probabilities of prompts')
        logProbabilities[at] = Float32Array.from(scored, (mark, t) => (mark === 1 ? promptLogProbabilities[t - missing]! : 0))
      })
      for await (const _ of work) signal.throwIfAborted()
      return { logProbabilities, entropies: batch.map(({ scored }) => Float32Array.from(scored, (mark) => (mark === 1 ? Number.NaN : 0))) }
    },
    unload(keyPrefix) {
      for (const key of sessions.keys()) if (key.startsWith(keyPrefix)) sessions.delete(key)
    },
  }
}

/** Runs a bounded number at a time, and yields results as they come. */
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
    ['forced forms of answers (response_format, tool_choice)', constraint !== null],
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
