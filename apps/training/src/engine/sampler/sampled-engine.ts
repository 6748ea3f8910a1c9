import {
  type Engine,
  EngineError,
  type GenerateRequest,
  type GenerationProgress,
  type ModelVersion,
  type SampledToken,
  type SamplingSettings,
} from '../engine.ts'
import { orAborted } from '../or-aborted.ts'
import { inTime } from './in-time.ts'
import { mergeStreams } from './merge-streams.ts'
import { createSamplerApi, type SamplerApiOptions, SamplerRefusal } from './sampler-api.ts'
import { connectSampler, readServedModels, type SamplerConnection, type ServedModel } from './sampler-connection.ts'
import type { SampledPart } from './sampler-dialect.ts'
import { createServedAdapters, hasAdapter, type ServedAdapters } from './served-adapters.ts'

export interface SampledEngineOptions extends SamplerApiOptions {
  /** Runs and trains all models. */
  engine: Engine
  /** Where adapters are written for the server, which reads them by the same path. */
  folder: string
}

interface SamplerWithAdapters extends SamplerConnection {
  adapters: ServedAdapters
}

/** Weights as the server names them. */
interface ServedWeights {
  base: ServedModel
  adapter: string | null
  release(): void
}

const connectTimeoutMs = 60_000
const healthTimeoutMs = 5_000

/**
 * An engine whose completions are sampled by an inference server, vLLM or SGLang: those of the base models that it serves, and of adapters trained from them.
 * Other models, and everything but completions, are left to the engine.
 */
export function createSampledEngine({ engine, folder, ...options }: SampledEngineOptions): Engine {
  const api = createSamplerApi(options)
  let connection: Promise<SamplerWithAdapters> | null = null
  let listed = ''

  async function connect(): Promise<SamplerWithAdapters> {
    const found = await inTime(connectTimeoutMs, `the sampler at ${api.url} did not list its models and sample a token`, (signal) =>
      connectSampler(api, signal),
    )
    return { ...found, adapters: createServedAdapters({ dialect: found.dialect, folder }) }
  }

  /** Not ended by the request that began it: others may wait for it. */
  async function connected(signal: AbortSignal): Promise<SamplerWithAdapters> {
    const current = (connection ??= connect())
    try {
      return await orAborted(current, signal)
    } catch (error) {
      if (connection === current && !signal.aborted) connection = null
      throw error
    }
  }

  /** Null where the server does not serve them. */
  async function weightsOf(
    version: ModelVersion,
    { find, adapters }: SamplerWithAdapters,
    signal: AbortSignal,
  ): Promise<ServedWeights | null> {
    const base = find(version.baseModel)
    if (base === null) return null
    if (version.folder === null) return { base, adapter: null, release: () => undefined }
    if (!hasAdapter(version)) return null
    const { name, release } = await adapters.hold(version, signal)
    return { base, adapter: name, release }
  }

  async function* generate(
    request: GenerateRequest,
    signal: AbortSignal,
    onProgress?: (progress: GenerationProgress) => void,
  ): AsyncGenerator<readonly SampledToken[]> {
    const server = await connected(signal)
    const weights = await weightsOf(request.version, server, signal)
    if (weights === null) return yield* engine.generate(request, signal, onProgress)
    const onAccepted = () => onProgress?.({ part: 'remote' })
    try {
      const { prompt, seeds } = request
      const { base, adapter } = weights
      const toSample = { baseModel: base.id, adapter, prompt, settings: withinContext(request, base, api.url) }
      const streams = seeds.map((seed) => server.dialect.sample({ ...toSample, seed: toServerSeed(seed) }, { signal, onAccepted }))
      yield* toTokens(streams, api.url)
    } finally {
      weights.release()
    }
  }

  /** Whether the server lost the adapter of a request, which is then loaded again. */
  async function isLost(error: unknown, { version }: GenerateRequest, signal: AbortSignal): Promise<boolean> {
    const server = await connected(signal)
    if (!(error instanceof SamplerRefusal) || !server.dialect.isUnknownAdapter(error) || !hasAdapter(version)) return false
    server.adapters.forget(version)
    return true
  }

  return {
    get choosesModules() {
      return engine.choosesModules
    },
    get library() {
      return engine.library
    },
    baseModels: () => engine.baseModels(),
    openTraining: (training, signal) => engine.openTraining(training, signal),
    async *generate(request, signal, onProgress) {
      let isBegun = false
      try {
        for await (const tokens of generate(request, signal, onProgress)) {
          isBegun = true
          yield tokens
        }
      } catch (error) {
        if (isBegun || !(await isLost(error, request, signal))) throw error
        yield* generate(request, signal, onProgress)
      }
    },
    score: (version, batch, signal) => engine.score(version, batch, signal),
    estimateTraining: (plan) => engine.estimateTraining(plan),
    async unload(keyPrefix) {
      await engine.unload(keyPrefix)
      const server = await connection?.catch(() => null)
      await server?.adapters.unload(keyPrefix)
    },
    async health() {
      const [own, sampler] = await Promise.all([engine.health(), samplerHealth()])
      const detail = { ...own.detail, sampler: sampler.detail }
      if (own.ok && !sampler.ok) return { ok: false, reason: 'the inference server does not answer', detail }
      return { ...own, detail }
    },
    close: () => engine.close(),
  }

  async function samplerHealth(): Promise<{ ok: boolean; detail: Record<string, unknown> }> {
    try {
      const all = await inTime(healthTimeoutMs, 'it did not list its models', (signal) => readServedModels(api, signal))
      const models = all.filter(({ isAdapter }) => !isAdapter)
      const names = JSON.stringify(models)
      // A server that restarted may serve other models.
      if (listed !== '' && listed !== names) connection = null
      listed = names
      return { ok: true, detail: { url: api.url, models: models.map(({ id }) => id) } }
    } catch (error) {
      return { ok: false, detail: { url: api.url, error: (error as Error).message } }
    }
  }
}

/** A server may be started for fewer tokens than the model takes. @throws EngineError `too-large` for a prompt that leaves no room */
function withinContext({ prompt, settings }: GenerateRequest, { contextLength }: ServedModel, url: string): SamplingSettings {
  const free = (contextLength ?? Infinity) - prompt.length
  if (free < 1)
    throw new EngineError(
      'too-large',
      `the prompt has ${prompt.length} tokens, and the sampler at ${url} takes ${contextLength} with the completion; start it for a longer context`,
    )
  return { ...settings, maxTokens: Math.min(settings.maxTokens, free) }
}

/** Servers take seeds of 31 bits. */
const toServerSeed = (seed: bigint) => Number(BigInt.asUintN(31, seed))

async function* toTokens(streams: readonly AsyncGenerator<SampledPart>[], url: string): AsyncGenerator<SampledToken[]> {
  const ended = new Set<number>()
  for await (const { index, value } of mergeStreams(streams)) {
    const { tokens, finish } = value
    const last = tokens.length - 1
    if (finish !== null) ended.add(index)
    if (finish !== null && tokens.length === 0)
      throw new EngineError('unavailable', `the sampler at ${url} ended a completion without its last token; try again`)
    if (tokens.length > 0) yield tokens.map((token, at) => ({ completion: index, ...token, finish: at === last ? finish : null }))
  }
  if (ended.size < streams.length)
    throw new EngineError('unavailable', `the sampler at ${url} ended its response before the completion had ended; try again`)
}
