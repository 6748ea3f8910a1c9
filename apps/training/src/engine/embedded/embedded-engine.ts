import { availableParallelism } from 'node:os'
import { basename } from 'node:path'
import type { ModelConfig } from '../../checkpoint-files/model-config.ts'
import { readModelConfig } from '../../checkpoint-files/read-model-config.ts'
import { type BaseModel, type Engine, EngineError, type GenerateRequest, type GenerationProgress, type SampledToken } from '../engine.ts'
import { GenerationStream } from './generation-stream.ts'
import { EngineProcess } from './process/engine-process.ts'
import { KernelMemory, usableBytes } from './kernels/kernel-memory.ts'
import type { NativeChoice } from './kernels/native/native-choice.ts'
import { scratchBytes } from './kernels/native/native-products.ts'
import { readMatrixFormat } from './model/matrix-format.ts'
import type { MatrixFormat } from './model/parameters.ts'
import type { IdleLimits } from './process/idle-end.ts'
import { openRemoteTraining } from './process/remote-training.ts'
import { estimateJobMemory } from './training/job-memory.ts'

export interface EmbeddedEngineOptions {
  /** The module that a child process runs: `model-engine-child` of this package, as source or built. */
  entry: URL
  /** What `baseModels` lists. */
  baseModels: readonly BaseModel[]
  /** Memory of all weights, caches and training together, at most 4 GiB. Default 1 GiB. */
  memoryBytes?: number
  /** What the processes of the server may use together, for estimates. Default: not known. */
  machineBytes?: number
  /** Most bytes of JavaScript objects in the engine's process. Default: that of Node. */
  heapBytes?: number
  /** Threads that train. Default: the cores, at most 4. They change no bit of a result. */
  threads?: number
  /** A library that computes large products faster, to the same bits, as `tryNativeLibrary` returns it. Default: none. */
  native?: NativeChoice
  /** Completions that are sampled at a time. Default 64. */
  maxCompletions?: number
  /** Completions that wait. Default 1 024. */
  maxWaitingCompletions?: number
  /** When the process of the engine ends for lack of work, which gives its memory back; the next call starts it again. Default: `idleLimits`. */
  idle?: Partial<IdleLimits>
  /** Called when the process of the engine exited unexpectedly and is being restarted. */
  onRestart?: (event: { reason: string; restarts: number }) => void
}

export interface EmbeddedEngine extends Engine {
  /** Process id of the running engine; undefined before the first call that needs it, while it is being restarted, and after an end for lack of work. */
  readonly pid: number | undefined
}

/** Default number of training threads: the cores, at most 4. */
export const defaultTrainingThreads = (): number => Math.min(4, availableParallelism())

/** Longest response time of a healthy engine, even while it reads weights. */
const healthTimeoutMs = 5_000

/** Runs and trains models on this machine, in a separate process that the first call starts. */
export function createEmbeddedEngine(options: EmbeddedEngineOptions): EmbeddedEngine {
  const { memoryBytes = 2 ** 30, threads = defaultTrainingThreads() } = options
  const process = new EngineProcess({
    entry: options.entry,
    baseModels: Object.fromEntries(options.baseModels.map(({ id, folder }) => [id, folder])),
    memoryBytes,
    maxCompletions: options.maxCompletions ?? 64,
    maxWaitingCompletions: options.maxWaitingCompletions ?? 1_024,
    threads,
    native: options.native ?? null,
    ...(options.heapBytes !== undefined && { heapBytes: options.heapBytes }),
    idle: options.idle,
    ...(options.onRestart && { onRestart: options.onRestart }),
  })
  const memory = {
    threads,
    maxBytes: usableBytes(memoryBytes) - scratchBytesOf(options.native, threads),
    kernels: new KernelMemory(0, 'plain').kernels,
    machine: options.machineBytes ?? null,
    usesLibrary: options.native !== undefined,
  }
  const described = new Map<string, { config: ModelConfig; format: MatrixFormat }>()

  /** A base model by the files of its folder, which are read once. */
  function describe(id: string): { config: ModelConfig; format: MatrixFormat } {
    const known = described.get(id)
    if (known) return known
    const base = options.baseModels.find((each) => each.id === id)
    if (!base) throw new EngineError('unknown-model', `unknown base model "${id}"`)
    const config = readModelConfig(base.folder)
    const read = { config, format: readMatrixFormat(base.folder, config) }
    described.set(id, read)
    return read
  }

  return {
    get pid() {
      return process.pid
    },
    baseModels: async () => options.baseModels,
    openTraining: (training, signal) => openRemoteTraining(process, training, signal),
    generate: (request, signal, onProgress) => generate({ process, request, signal, onProgress }),
    score: (version, batch, signal) => process.call('score', { version, batch }, { signal }),
    choosesModules: true,
    library: options.native ? (options.native.version ?? basename(options.native.library)) : null,
    estimateTraining: async ({ baseModel, reference, ...job }) => {
      const compared = reference && {
        ...describe(reference.baseModel),
        weights: reference.weights,
        sharesBase: reference.baseModel === baseModel,
      }
      return estimateJobMemory({ ...job, ...describe(baseModel), reference: compared }, memory)
    },
    async unload(keyPrefix) {
      // A process that is not there has loaded nothing.
      if (process.isStarted) await process.call('unload', { keyPrefix })
    },
    async health() {
      if (!process.isStarted) return { ok: true, detail: { started: false } }
      const restarts = { restarts: process.restarts }
      if (process.pid === undefined) return { ok: false, detail: restarts }
      try {
        const detail = await process.call('health', null, { signal: AbortSignal.timeout(healthTimeoutMs) })
        return { ok: true, detail: { ...detail, ...restarts } }
      } catch {
        return { ok: false, detail: restarts }
      }
    },
    close: () => process.stop(),
  }
}

/** What native products take of the memory of models, in each thread: one trains and samples, of the others as many do the one as the other. */
function scratchBytesOf(native: NativeChoice | undefined, threads: number): number {
  return native ? scratchBytes(native.guard) * (2 * threads - 1) : 0
}

interface Generation {
  process: EngineProcess
  request: GenerateRequest
  signal: AbortSignal
  onProgress: ((progress: GenerationProgress) => void) | undefined
}

async function* generate({ process, request, signal, onProgress }: Generation): AsyncGenerator<readonly SampledToken[]> {
  const left = new AbortController()
  const stream = new GenerationStream()
  const either = AbortSignal.any([signal, left.signal])
  const onTokens = (tokens: readonly SampledToken[]) => stream.push(tokens)
  process.call('generate', { request }, { signal: either, onTokens, onProgress }).then(
    () => stream.end(),
    (error: unknown) => stream.fail(error),
  )
  try {
    yield* stream.read()
  } finally {
    left.abort()
  }
}
