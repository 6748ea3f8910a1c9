import { copyTokenizer } from '../../../checkpoint-files/copy-tokenizer.ts'
import { EngineError, type ForwardResult } from '../../engine.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import { writeCheckpoint } from '../training/checkpoint.ts'
import { createTrainedModel, trainedModelBytes } from '../training/trained-model.ts'
import { type PassHelper, Trainer } from '../training/trainer.ts'
import { readTrainingState, writeTrainingState } from '../training/training-state.ts'
import type { ComputeScheduler } from './compute-scheduler.ts'
import type { EngineCalls } from './messages.ts'
import { checkBatch } from './check-batch.ts'
import type { CachedWeights, WeightCache } from './weight-cache.ts'

interface Session {
  trainer: Trainer
  baseModel: string
  /** Weights that the session reads: the frozen ones below its adapters. */
  weights: CachedWeights | null
}

export interface TrainingSessionsOptions {
  memory: KernelMemory
  weightCache: WeightCache
  scheduler: ComputeScheduler
  helpers: readonly PassHelper[]
  folders: ReadonlyMap<string, string>
}

type Args<Call extends keyof EngineCalls> = EngineCalls[Call]['args']

/** Weights under training, by the number of their session. */
export class TrainingSessions {
  private readonly options: TrainingSessionsOptions
  private readonly sessions = new Map<number, Session>()

  constructor(options: TrainingSessionsOptions) {
    this.options = options
  }

  get count(): number {
    return this.sessions.size
  }

  /** @throws EngineError `too-large` when weights, gradients and moments would not fit, before anything is allocated for them */
  open({ session, from, adapter, seed, resumeFrom }: Args<'openTraining'>): void {
    const { memory, weightCache, helpers } = this.options
    const weights = weightCache.acquire(from)
    try {
      const isAdapted = weights.model.adapterFactor !== 0
      if (isAdapted && !adapter)
        throw new EngineError('unsupported', `"${from.key}" is an adapter; training every weight starts from a whole model`)
      assertFits(trainedModelBytes(weights.model, adapter), memory)
      const trained = weightCache.withEviction(() => createTrainedModel(memory, { base: weights.model, adapter, seed: BigInt(seed) }))
      const steps = resumeFrom === null ? 0 : readTrainingState(memory, trained, resumeFrom)
      const allocate = (bytes: number) => weightCache.withEviction(() => memory.allocateDirty(bytes))
      const trainer = new Trainer(memory, trained, { helpers, allocate })
      trainer.steps = steps
      this.sessions.set(session, { trainer, baseModel: from.baseModel, weights: adapter ? weights : null })
      if (!adapter) weightCache.release(weights)
    } catch (error) {
      weightCache.release(weights)
      throw error
    }
  }

  async forward({ session, batch }: Args<'forward'>, signal: AbortSignal): Promise<ForwardResult> {
    const { trainer } = this.find(session)
    checkBatch(batch, trainer.trained.model.config)
    return await this.options.scheduler.train(trainer.forward(batch), signal)
  }

  async backward({ session, coefficients }: Args<'backward'>, signal: AbortSignal): Promise<void> {
    await this.options.scheduler.train(this.find(session).trainer.backward(coefficients), signal)
  }

  async step({ session, optimizer }: Args<'step'>, signal: AbortSignal): Promise<{ gradientNorm: number }> {
    return { gradientNorm: await this.options.scheduler.train(this.find(session).trainer.step(optimizer), signal) }
  }

  saveCheckpoint({ session, folder }: Args<'saveCheckpoint'>): void {
    const { trainer, baseModel } = this.find(session)
    writeCheckpoint(this.options.memory, trainer.trained, { folder, baseModel })
    const base = this.options.folders.get(baseModel)
    if (base !== undefined) copyTokenizer(base, folder)
  }

  saveState({ session, folder }: Args<'saveState'>): void {
    writeTrainingState(this.options.memory, this.find(session).trainer, folder)
  }

  async close(session: number): Promise<void> {
    const found = this.sessions.get(session)
    if (!found) return
    this.sessions.delete(session)
    await found.trainer.waitForHelpers()
    found.trainer.close()
    if (found.weights) this.options.weightCache.release(found.weights)
  }

  private find(session: number): Session {
    const found = this.sessions.get(session)
    if (!found) throw new EngineError('unavailable', 'this training is closed; open it again from where it was saved')
    return found
  }
}

/** What WebAssembly addresses. */
const maxMemoryBytes = 4 * 2 ** 30
/** Weights, and the memory for one sequence, are additional: about half of gradients and moments. */
const shareOfAll = 1.5

function remedyFor(bytes: number): string {
  const wanted = Math.ceil((bytes * shareOfAll) / 2 ** 20) * 2 ** 20
  const setting = wanted <= maxMemoryBytes ? `set HEDDLE_TRAINING_MEMORY_BYTES to ${wanted}, ` : ''
  return `${setting}train an adapter${setting === '' ? '' : ' of lower rank'}, or train on another server (HEDDLE_TRAINING_ENGINE_URL)`
}

function assertFits(bytes: number, memory: KernelMemory): void {
  if (bytes <= memory.maxBytes) return
  const [needed, limit] = [bytes, memory.maxBytes].map((count) => Math.ceil(count / 2 ** 20))
  throw new EngineError(
    'too-large',
    `training this model takes ${needed} MiB for its gradients and moments, and the memory of models has ${limit} MiB; ${remedyFor(bytes)}`,
  )
}
