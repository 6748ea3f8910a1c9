import type { ForwardResult, TokenSequence } from '../../engine.ts'
import { Arena } from '../kernels/arena.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { allocateActivations } from './activations.ts'
import { cutBatch, packRows, spread } from './packed-rows.ts'
import { runPass } from './pass-task.ts'
import type { Work } from './work.ts'
import { allocateWorkspace } from './workspace.ts'

const maxRows = 512

export interface Scoring {
  memory: KernelMemory
  model: ModelParameters
  /** @throws MemoryExhausted */
  allocate(bytes: number): Address
}

/** Log-probabilities and entropies of a batch, without anything kept for gradients. */
export function* score({ memory, model, allocate }: Scoring, batch: readonly TokenSequence[]): Work<ForwardResult> {
  const result: { logProbabilities: Float32Array[]; entropies: Float32Array[] } = { logProbabilities: [], entropies: [] }
  for (const sequences of cutBatch(batch, maxRows)) {
    const rows = packRows(sequences)
    const layOut = (arena: Arena) => ({
      work: allocateWorkspace({ model, rows, kernels: memory.kernels, backward: false }, arena),
      kept: allocateActivations(model, rows, arena, false),
    })
    const measured = Arena.measuring()
    layOut(measured)
    const block = allocate(measured.peakBytes)
    try {
      const task = { rows, ...layOut(new Arena(block, measured.peakBytes)), backward: null }
      const { logProbabilities, entropies } = yield* runPass(memory, model, task)
      result.logProbabilities.push(...spread(sequences, logProbabilities))
      result.entropies.push(...spread(sequences, entropies))
    } finally {
      memory.free(block)
    }
  }
  return result
}
