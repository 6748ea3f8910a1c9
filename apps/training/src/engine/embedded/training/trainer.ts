import { EngineError, type ForwardResult, type OptimizerSettings, type TrainedSequence } from '../../engine.ts'
import { Arena } from '../kernels/arena.ts'
import { type KernelMemory, OutOfMemoryError } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { allocateActivations } from '../passes/activations.ts'
import { activationBytes, threadBytes } from '../passes/pass-bytes.ts'
import { gatherValues, countRows, countValues, cutBatch, type PackedRows, packRows, scatterValues } from '../passes/packed-rows.ts'
import { type PassResult, type PassTask, runPass } from '../passes/pass-task.ts'
import type { Work } from '../work.ts'
import { allocateWorkspace } from '../passes/workspace.ts'
import { mayKeep, rowsOfPart } from './batch-parts.ts'
import { applyGradients, clearGradients, gradientNorm, sumGradients, transposeWeights } from './optimizer.ts'
import type { TrainedModel } from './trained-model.ts'

/** Another thread on the same memory. */
export interface PassHelper {
  /** Runs passes in order. */
  run(model: ModelParameters, tasks: readonly PassTask[]): Promise<readonly PassResult[]>
}

export interface TrainerOptions {
  helpers?: readonly PassHelper[]
  /** Allocates, after evicting what can be evicted. Default: plain allocation. @throws OutOfMemoryError */
  allocate?: (bytes: number) => Address
}

/** A part of a batch, in memory from its forward to its backward pass. */
interface Part {
  sequences: readonly TrainedSequence[]
  rows: PackedRows
  /** Its activations; null if they do not fit and are recomputed by the backward pass. */
  block: Address | null
}

/** Memory that the passes of one thread overwrite. */
interface Scratch {
  block: Address
  bytes: number
}

/**
 * Trains a model: forward, backward, step. Parts of a batch are distributed among this thread and its helpers. The index of a part determines its
 * gradient buffer, and buffers are summed in order, so that results are bit-identical for any number of threads.
 */
export class Trainer {
  readonly trained: TrainedModel
  /** Optimizer steps so far. */
  steps = 0
  private readonly memory: KernelMemory
  private readonly helpers: readonly PassHelper[]
  private readonly allocate: (bytes: number) => Address
  private parts: Part[] = []
  /** One per thread, this thread first. */
  private scratch: Scratch[] = []
  private helperWork: Promise<unknown> = Promise.resolve()
  /** Whether the transposes of all weights were computed. */
  private hasTransposes = false

  constructor(memory: KernelMemory, trained: TrainedModel, { helpers = [], allocate }: TrainerOptions = {}) {
    this.memory = memory
    this.trained = trained
    this.allocate = allocate ?? ((bytes) => memory.allocateDirty(bytes))
    this.helpers = helpers.slice(0, trained.gradients.length - 1)
  }

  /** @throws OutOfMemoryError when not even one part of the batch fits at a time */
  *forward(batch: readonly TrainedSequence[]): Work<ForwardResult> {
    this.dropBatch()
    if (!this.hasTransposes) yield* transposeWeights(this.memory, this.trained, 'all')
    this.hasTransposes = true
    const total = batch.reduce((sum, sequence) => sum + countRows(sequence), 0)
    const cut = cutBatch(batch, rowsOfPart(total, this.trained.gradients.length))
    const parts = cut.map((sequences) => ({ sequences, rows: packRows(sequences), block: null }))
    this.reserveScratch(parts)
    this.parts = parts
    for (const part of this.parts) part.block = this.tryAllocateActivations(part.rows)
    const results = yield* this.runAll(() => null)
    return {
      logProbabilities: results.flatMap(({ logProbabilities }, index) => scatterValues(cut[index]!, logProbabilities)),
      entropies: results.flatMap(({ entropies }, index) => scatterValues(cut[index]!, entropies)),
    }
  }

  /** Adds to the gradients; at most once for each `forward`. @throws EngineError for coefficients not aligned with its batch */
  *backward(coefficients: readonly Float32Array[]): Work<void> {
    assertAligned(
      coefficients,
      this.parts.flatMap(({ sequences }) => sequences),
    )
    let first = 0
    const coefficientsOfParts = this.parts.map(({ sequences }) => {
      first += sequences.length
      return gatherValues(sequences, coefficients.slice(first - sequences.length, first))
    })
    yield* this.runAll((index) => ({
      coefficients: coefficientsOfParts[index]!,
      gradients: this.trained.gradients[this.bufferOf(index)]!,
      repeatForward: this.parts[index]!.block === null,
    }))
    this.dropBatch()
  }

  /** Returns the norm of the gradients before clipping. If it is not finite, the weights are unchanged and the gradients are cleared. */
  *step(settings: OptimizerSettings): Work<number> {
    const { memory, trained } = this
    yield* sumGradients(memory, trained)
    const norm = yield* gradientNorm(memory, trained)
    if (Number.isFinite(norm)) {
      this.steps++
      yield* applyGradients(memory, trained, { settings, norm, stepNumber: this.steps })
      yield* transposeWeights(memory, trained, 'trainable')
    }
    yield* clearGradients(memory, trained)
    return norm
  }

  /** Resolves once no helper is running for this trainer: helpers may outlast abandoned work. */
  async waitForHelpers(): Promise<void> {
    await this.helperWork
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

  /** All parts of a buffer are computed by one thread, so that they are added in order. */
  private threadOf(part: number): number {
    return this.bufferOf(part) % (this.helpers.length + 1)
  }

  private *runAll(backwardOf: (part: number) => PassTask['backward']): Work<PassResult[]> {
    const results: PassResult[] = []
    const tasks = this.parts.map((part, index) => this.createTask(part, this.scratch[this.threadOf(index)]!, backwardOf(index)))
    const partsOf = (thread: number) => [...tasks.keys()].filter((index) => this.threadOf(index) === thread)
    const helperRuns = this.helpers.map(async (helper, index) => {
      const own = partsOf(index + 1)
      if (own.length === 0) return
      const helperResults = await helper.run(
        this.trained.model,
        own.map((part) => tasks[part]!),
      )
      for (const [i, part] of own.entries()) results[part] = helperResults[i]!
    })
    const all = Promise.all(helperRuns)
    this.helperWork = all.catch(() => undefined)
    for (const part of partsOf(0)) results[part] = yield* runPass(this.memory, this.trained.model, tasks[part]!)
    if (this.helpers.length > 0) yield all.then(() => undefined)
    return results
  }

  private createTask({ rows, block }: Part, scratch: Scratch, backward: PassTask['backward']): PassTask {
    const { model } = this.trained
    const arena = new Arena(scratch.block, scratch.bytes)
    const work = allocateWorkspace({ model, rows, kernels: this.memory.kernels, backward: true }, arena)
    const activations = allocateActivations(
      { model, rows, backward: true },
      block === null ? arena : new Arena(block, activationBytes(model, rows)),
    )
    return { rows, activations, work, forBackward: block !== null || backward !== null, backward }
  }

  private dropBatch(): void {
    for (const { block } of this.parts) if (block !== null) this.memory.free(block)
    this.parts = []
  }

  private dropScratch(): void {
    for (const { block } of this.scratch) this.memory.free(block)
    this.scratch = []
  }

  /** Allocates scratch for each thread: the workspace of the largest part, and activations that are not kept. */
  private reserveScratch(parts: readonly Part[]): void {
    const bytes = parts.reduce((most, { rows }) => Math.max(most, threadBytes(this.trained.model, rows, this.memory.kernels)), 0)
    const threads = this.helpers.length + 1
    if (this.scratch.length === threads && this.scratch[0]!.bytes >= bytes) return
    this.dropScratch()
    for (let thread = 0; thread < threads; thread++) this.scratch.push({ block: this.allocate(bytes), bytes })
  }

  /** Null if the activations do not fit, or would take memory that other work needs. */
  private tryAllocateActivations(rows: PackedRows): Address | null {
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
