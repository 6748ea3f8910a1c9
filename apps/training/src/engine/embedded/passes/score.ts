import type { ScoredSequence, ScoreResult, TokenAlternative } from '../../engine.ts'
import { Arena } from '../kernels/arena.ts'
import type { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Address } from '../kernels/kernels.ts'
import type { ModelParameters } from '../model/parameters.ts'
import { allocateActivations } from './activations.ts'
import { listTop } from '../list-top.ts'
import { type Chunk, forwardPass } from './forward.ts'
import { cutBatch, packRows, type PackedRows, scatterValues } from './packed-rows.ts'
import type { Work } from '../work.ts'
import { allocateWorkspace } from './workspace.ts'

/** Tokens that are scored at a time, unless one sequence has more. */
export const scoredAtATime = 512

export interface Scoring {
  memory: KernelMemory
  model: ModelParameters
  /** @throws OutOfMemoryError */
  allocate(bytes: number): Address
}

/** Log-probabilities and entropies of a batch, without anything kept for gradients. */
export function* score({ memory, model, allocate }: Scoring, batch: readonly ScoredSequence[]): Work<ScoreResult> {
  const result: ScoreResult = { logProbabilities: [], entropies: [] }
  const top: TokenAlternative[][][] | null = batch.some((sequence) => sequence.top) ? [] : null
  for (const sequences of cutBatch(batch, scoredAtATime)) {
    const rows = packRows(sequences)
    const layOut = (arena: Arena) => ({
      work: allocateWorkspace({ model, rows, kernels: memory.kernels, backward: false }, arena),
      activations: allocateActivations({ model, rows, backward: false }, arena),
    })
    const measured = Arena.measuring()
    layOut(measured)
    const block = allocate(measured.peakBytes)
    try {
      const laid = layOut(new Arena(block, measured.peakBytes))
      const reader = top && createTopReader({ memory, model, rows, wanted: wantedOf(sequences) })
      yield* forwardPass({ view: memory, model, rows, forBackward: false, ...laid, ...(reader && { onProbabilities: reader.read }) })
      const read = (start: Address) => memory.floats(start, rows.scoredRows.length).slice()
      result.logProbabilities.push(...scatterValues(sequences, read(laid.activations.logProbabilities)))
      result.entropies.push(...scatterValues(sequences, read(laid.activations.entropies)))
      if (top && reader) top.push(...spreadTop(sequences, reader.found))
    } finally {
      memory.free(block)
    }
  }
  return top ? { ...result, top } : result
}

/** For each scored row, how many alternatives its sequence wants. */
const wantedOf = (sequences: readonly ScoredSequence[]) =>
  sequences.flatMap(({ scored, top = 0 }) => Array.from(scored.subarray(1)).flatMap((isScored) => (isScored ? [top] : [])))

interface TopReading extends Pick<Scoring, 'memory' | 'model'> {
  rows: PackedRows
  wanted: readonly number[]
}

/** Reads the likeliest tokens of each row while its probabilities are there. */
function createTopReader({ memory, model, rows, wanted }: TopReading) {
  const { columns } = model.head
  const { vocabularySize } = model.config
  const found: TokenAlternative[][] = Array.from(rows.targets, () => [])
  return {
    found,
    read({ from, rows: count }: Chunk, probabilities: Address): void {
      for (let row = 0; row < count; row++) {
        const most = wanted[from + row]!
        if (most === 0) continue
        const values = memory.floats(probabilities + row * columns * 4, vocabularySize)
        found[from + row] = listTop(values, most).map((token) => ({ token, logProbability: Math.log(values[token]!) }))
      }
    },
  }
}

/** The alternatives of the scored rows at the tokens of the sequences. */
function spreadTop(sequences: readonly ScoredSequence[], rows: TokenAlternative[][]): TokenAlternative[][][] {
  let next = 0
  return sequences.map(({ scored }) => Array.from(scored, (isScored, place) => (isScored && place > 0 ? rows[next++]! : [])))
}
