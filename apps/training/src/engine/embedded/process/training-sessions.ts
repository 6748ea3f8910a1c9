import { copyTokenizer } from '../../../checkpoint-files/copy-tokenizer.ts'
import { EngineError, type ForwardResult } from '../../engine.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { writeCheckpoint } from '../training/checkpoint.ts'
import { allocateTrainedModel, fillTrainedModel, trainedModelBytes } from '../training/trained-model.ts'
import { type PassHelper, Trainer } from '../training/trainer.ts'
import { readTrainingState, writeTrainingState } from '../training/training-state.ts'
import type { Work } from '../work.ts'
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
  private readonly opening = new Map<number, Promise<Session>>()

  constructor(options: TrainingSessionsOptions) {
    this.options = options
  }

  get count(): number {
    return this.sessions.size
  }

  /** @throws EngineError `too-large` when weights, gradients and moments would not fit, before anything is allocated for them */
  async open(args: Args<'openTraining'>, signal: AbortSignal): Promise<void> {
    const opening = this.openTrainer(args, signal)
    this.opening.set(args.session, opening)
    try {
      this.sessions.set(args.session, await opening)
    } finally {
      this.opening.delete(args.session)
    }
  }

  private async openTrainer({ from, adapter, seed, resumeFrom }: Args<'openTraining'>, signal: AbortSignal): Promise<Session> {
    const { memory, weightCache, helpers, scheduler } = this.options
    const weights = await weightCache.acquire(from)
    try {
      signal.throwIfAborted()
      const base = weights.model
      if (base.adapterFactor !== 0 && !adapter)
        throw new EngineError('unsupported', `"${from.key}" is an adapter; training every weight starts from a whole model`)
      assertFits(trainedModelBytes(base, adapter), memory)
      const trained = weightCache.withEviction(() => allocateTrainedModel(memory, { base, adapter }))
      const allocate = (bytes: number) => weightCache.withEviction(() => memory.allocateDirty(bytes))
      const trainer = new Trainer(memory, trained, { helpers, allocate })
      try {
        await scheduler.train(fillTrainer(trainer, { memory, base, seed: BigInt(seed), resumeFrom }), signal)
      } catch (error) {
        trainer.close()
        throw error
      }
      if (!adapter) weightCache.release(weights)
      return { trainer, baseModel: from.baseModel, weights: adapter ? weights : null }
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

  async saveCheckpoint({ session, folder }: Args<'saveCheckpoint'>, signal: AbortSignal): Promise<void> {
    const { trainer, baseModel } = this.find(session)
    await this.options.scheduler.train(writeCheckpoint(this.options.memory, trainer.trained, { folder, baseModel }), signal)
    const base = this.options.folders.get(baseModel)
    if (base !== undefined) copyTokenizer(base, folder)
  }

  async saveState({ session, folder }: Args<'saveState'>, signal: AbortSignal): Promise<void> {
    await this.options.scheduler.train(writeTrainingState(this.options.memory, this.find(session).trainer, folder), signal)
  }

  /** Waits for the end of an opening that was cancelled. */
  async close(session: number): Promise<void> {
    await this.opening.get(session)?.catch(() => undefined)
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

interface TrainerStart {
  memory: KernelMemory
  base: ModelParameters
  seed: bigint
  resumeFrom: string | null
}

function* fillTrainer(trainer: Trainer, { memory, base, seed, resumeFrom }: TrainerStart): Work<void> {
  yield* fillTrainedModel(memory, trainer.trained, { base, seed })
  if (resumeFrom !== null) trainer.steps = yield* readTrainingState(memory, trainer.trained, resumeFrom)
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
