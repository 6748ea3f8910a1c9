import { copyTokenizer } from '../../../checkpoint-files/copy-tokenizer.ts'
import { EngineError, type ForwardResult } from '../../engine.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import { writeCheckpoint } from '../training/checkpoint.ts'
import { createTrainedModel, trainedModelBytes } from '../training/trained-model.ts'
import { type PassHelper, Trainer } from '../training/trainer.ts'
import { readTrainingState, writeTrainingState } from '../training/training-state.ts'
import type { ComputeTurns } from './compute-turns.ts'
import type { EngineCalls } from './messages.ts'
import { checkBatch } from './check-batch.ts'
import type { WeightSlot, WeightSlots } from './weight-slots.ts'

interface Session {
  trainer: Trainer
  baseModel: string
  /** Weights that the session reads: the frozen ones below its adapters. */
  slot: WeightSlot | null
}

export interface TrainingSessionsOptions {
  memory: KernelMemory
  slots: WeightSlots
  turns: ComputeTurns
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
    const { memory, slots, helpers } = this.options
    const slot = slots.acquire(from)
    try {
      const isAdapted = slot.model.adapterFactor !== 0
      if (isAdapted && !adapter)
        throw new EngineError('unsupported', `"${from.key}" is an adapter; training every weight starts from a whole model`)
      assertFits(trainedModelBytes(slot.model, adapter), memory)
      const trained = slots.withEviction(() => createTrainedModel(memory, { base: slot.model, adapter, seed: BigInt(seed) }))
      const steps = resumeFrom === null ? 0 : readTrainingState(memory, trained, resumeFrom)
      const allocate = (bytes: number) => slots.withEviction(() => memory.allocateDirty(bytes))
      const trainer = new Trainer(memory, trained, { helpers, allocate })
      trainer.steps = steps
      this.sessions.set(session, { trainer, baseModel: from.baseModel, slot: adapter ? slot : null })
      if (!adapter) slots.release(slot)
    } catch (error) {
      slots.release(slot)
      throw error
    }
  }

  async forward({ session, batch }: Args<'forward'>, signal: AbortSignal): Promise<ForwardResult> {
    const { trainer } = this.find(session)
    checkBatch(batch, trainer.trained.model.config)
    return await this.options.turns.train(trainer.forward(batch), signal)
  }

  async backward({ session, coefficients }: Args<'backward'>, signal: AbortSignal): Promise<void> {
    await this.options.turns.train(this.find(session).trainer.backward(coefficients), signal)
  }

  step({ session, optimizer }: Args<'step'>): { gradientNorm: number } {
    return { gradientNorm: this.find(session).trainer.step(optimizer) }
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
    await found.trainer.settled()
    found.trainer.close()
    if (found.slot) this.options.slots.release(found.slot)
  }

  private find(session: number): Session {
    const found = this.sessions.get(session)
    if (!found) throw new EngineError('unavailable', 'this training is closed; open it again from where it was saved')
    return found
  }
}

/** What WebAssembly addresses. */
const maxMemoryBytes = 4 * 2 ** 30
/** Weights, and what one sequence takes, are there besides: about half of gradients and moments. */
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
