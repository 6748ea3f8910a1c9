import { EngineError, type ForwardResult, type OptimizerSettings, type TrainedSequence } from '../../engine.ts'
import { Arena } from '../kernels/arena.ts'
import { type KernelMemory, OutOfMemoryError } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { allocateActivations } from '../passes/activations.ts'
import { activationBytes, threadBytes } from '../passes/pass-bytes.ts'
import { collect, countRows, countValues, cutBatch, type PackedRows, packRows, spread } from '../passes/packed-rows.ts'
import { type PassResult, type PassTask, runPass } from '../passes/pass-task.ts'
import { finish, type Work } from '../passes/work.ts'
import { allocateWorkspace } from '../passes/workspace.ts'
import { mayKeep, rowsOfPart } from './batch-parts.ts'
import { applyGradients, clearGradients, gradientNorm, sumGradients, transposeWeights } from './optimizer.ts'
import type { TrainedModel } from './trained-model.ts'

export { finish, type Work } from '../passes/work.ts'

/** Another thread on the same memory. */
export interface PassHelper {
  /** Runs passes in order. */
  run(model: ModelParameters, tasks: readonly PassTask[]): Promise<readonly PassResult[]>
}

export interface TrainerOptions {
  helpers?: readonly PassHelper[]
  /** Makes room where that is possible. Default: the allocation of the memory. @throws OutOfMemoryError */
  allocate?: (bytes: number) => Address
}

/** A part of a batch, in memory from its forward to its backward pass. */
interface Part {
  sequences: readonly TrainedSequence[]
  rows: PackedRows
  /** Its activations; null when they do not fit and are computed again. */
  block: Address | null
}

/** Memory that the passes of one thread overwrite. */
interface Scratch {
  block: Address
  bytes: number
}

/**
 * Trains a model: forward, backward, step. Parts of a batch are shared out among this thread and its helpers; each part adds to the gradient buffer that its index in
 * the batch gives, and the buffers are added in order, so that the number of threads changes no bit of the result.
 */
export class Trainer {
  readonly trained: TrainedModel
  /** Optimizer steps so far. */
  steps = 0
  private readonly memory: KernelMemory
  private readonly helpers: readonly PassHelper[]
  private readonly allocate: (bytes: number) => Address
  private parts: Part[] = []
  /** One for each thread, this one first. */
  private scratch: Scratch[] = []
  private helping: Promise<unknown> = Promise.resolve()

  constructor(memory: KernelMemory, trained: TrainedModel, { helpers = [], allocate }: TrainerOptions = {}) {
    this.memory = memory
    this.trained = trained
    this.allocate = allocate ?? ((bytes) => memory.allocateDirty(bytes))
    this.helpers = helpers.slice(0, trained.gradients.length - 1)
    finish(transposeWeights(memory, trained, false))
  }

  /** @throws OutOfMemoryError when not even one part of the batch fits at a time */
  *forward(batch: readonly TrainedSequence[]): Work<ForwardResult> {
    this.dropBatch()
    const total = batch.reduce((sum, sequence) => sum + countRows(sequence), 0)
    const cut = cutBatch(batch, rowsOfPart(total, this.trained.gradients.length))
    const parts = cut.map((sequences) => ({ sequences, rows: packRows(sequences), block: null }))
    this.reserveScratch(parts)
    this.parts = parts
    for (const part of this.parts) part.block = this.findBlock(part.rows)
    const results = yield* this.runAll(() => null)
    return {
      logProbabilities: results.flatMap(({ logProbabilities }, index) => spread(cut[index]!, logProbabilities)),
      entropies: results.flatMap(({ entropies }, index) => spread(cut[index]!, entropies)),
    }
  }

  /** Adds to the gradients; once for each `forward`. @throws EngineError for coefficients that are not those of its batch */
  *backward(coefficients: readonly Float32Array[]): Work<void> {
    assertAligned(
      coefficients,
      this.parts.flatMap(({ sequences }) => sequences),
    )
    let first = 0
    const ofParts = this.parts.map(({ sequences }) => {
      first += sequences.length
      return collect(sequences, coefficients.slice(first - sequences.length, first))
    })
    yield* this.runAll((index) => ({
      coefficients: ofParts[index]!,
      gradients: this.trained.gradients[this.bufferOf(index)]!,
      repeatForward: this.parts[index]!.block === null,
    }))
    this.dropBatch()
  }

  /** Returns the norm of the gradients before it is clipped. If it is not finite, only the gradients are cleared. */
  *step(settings: OptimizerSettings): Work<number> {
    const { memory, trained } = this
    sumGradients(memory, trained)
    const norm = gradientNorm(memory, trained)
    if (Number.isFinite(norm)) {
      this.steps++
      yield* applyGradients(memory, trained, { settings, norm, stepNumber: this.steps })
      yield* transposeWeights(memory, trained, true)
    }
    clearGradients(memory, trained)
    return norm
  }

  /** Resolves when no helper works for this trainer any more: work that was given up may have left some. */
  async settled(): Promise<void> {
    await this.helping
  }

  /** Releases all memory. No helper may be running. */
  close(): void {
    this.dropBatch()
    this.dropScratch()
    for (const block of this.trained.blocks) this.memory.free(block)
  }

  private bufferOf(part: number): number {
    return part % this.trained.gradients.length
  }

  /** Parts of one buffer are computed in one thread, so that they are added in order. */
  private threadOf(part: number): number {
    return this.bufferOf(part) % (this.helpers.length + 1)
  }

  private *runAll(backwardOf: (part: number) => PassTask['backward']): Work<PassResult[]> {
    const results: PassResult[] = []
    const tasks = this.parts.map((part, index) => this.createTask(part, this.scratch[this.threadOf(index)]!, backwardOf(index)))
    const partsOf = (thread: number) => [...tasks.keys()].filter((index) => this.threadOf(index) === thread)
    const helped = this.helpers.map(async (helper, index) => {
      const own = partsOf(index + 1)
      if (own.length === 0) return
      const ofHelper = await helper.run(
        this.trained.model,
        own.map((part) => tasks[part]!),
      )
      for (const [i, part] of own.entries()) results[part] = ofHelper[i]!
    })
    const all = Promise.all(helped)
    this.helping = all.catch(() => undefined)
    for (const part of partsOf(0)) results[part] = yield* runPass(this.memory, this.trained.model, tasks[part]!)
    if (this.helpers.length > 0) yield all.then(() => undefined)
    return results
  }

  private createTask({ rows, block }: Part, scratch: Scratch, backward: PassTask['backward']): PassTask {
    const { model } = this.trained
    const arena = new Arena(scratch.block, scratch.bytes)
    const work = allocateWorkspace({ model, rows, kernels: this.memory.kernels, backward: true }, arena)
    const own = block === null ? arena : new Arena(block, activationBytes(model, rows))
    const forBackward = block !== null || backward !== null
    return { rows, kept: allocateActivations(model, rows, own, true), work, forBackward, backward }
  }

  private dropBatch(): void {
    for (const { block } of this.parts) if (block !== null) this.memory.free(block)
    this.parts = []
  }

  private dropScratch(): void {
    for (const { block } of this.scratch) this.memory.free(block)
    this.scratch = []
  }

  /** Scratch for each thread: the workspace of its largest part, and activations that are not kept. */
  private reserveScratch(parts: readonly Part[]): void {
    const bytes = parts.reduce((most, { rows }) => Math.max(most, threadBytes(this.trained.model, rows, this.memory.kernels)), 0)
    const threads = this.helpers.length + 1
    if (this.scratch.length === threads && this.scratch[0]!.bytes >= bytes) return
    this.dropScratch()
    for (let thread = 0; thread < threads; thread++) this.scratch.push({ block: this.allocate(bytes), bytes })
  }

  private findBlock(rows: PackedRows): Address | null {
    const bytes = activationBytes(this.trained.model, rows)
    if (!mayKeep(bytes, this.memory)) return null
    try {
      return this.memory.allocateDirty(bytes)
    } catch (error) {
      if (error instanceof OutOfMemoryError) return null
      throw error
    }
  }
}

function assertAligned(coefficients: readonly Float32Array[], batch: readonly TrainedSequence[]): void {
  const isAligned = coefficients.length === batch.length && batch.every((sequence, i) => coefficients[i]?.length === countValues(sequence))
  if (!isAligned) {
    throw new EngineError(
      'unsupported',
      `backward needs a coefficient for each token of the last forward, which had ${batch.length} sequences`,
    )
  }
}
