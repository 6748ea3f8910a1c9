import { countOnes } from '../../sequences/mask.ts'
import type { CollectedSequence } from './collect-sequences.ts'

export interface CutSequences {
  /** None is longer than a row, and each has a sampled token, of which `sampled` is the number. */
  kept: { sequence: CollectedSequence; sampled: number }[]
  /** Truncated sequences, including those that lost all sampled tokens. */
  cut: number
  /** Sequences of which nothing sampled is left. */
  dropped: number
  /** Sampled tokens that were cut off. */
  sampledTokens: number
}

/** Truncates sequences that do not fit into a row. Weights remain those of the whole trajectories. */
export function cutSequences(sequences: readonly CollectedSequence[], rowLength: number): CutSequences {
  const result: CutSequences = { kept: [], cut: 0, dropped: 0, sampledTokens: 0 }
  for (const whole of sequences) {
    const sequence = whole.tokens.length <= rowLength ? whole : cutAt(whole, rowLength)
    const sampled = countOnes(sequence.mask)
    if (sequence !== whole) {
      result.cut++
      result.sampledTokens += countOnes(whole.mask) - sampled
    }
    if (sampled > 0) result.kept.push({ sequence, sampled })
    else result.dropped++
  }
  return result
}

function cutAt(sequence: CollectedSequence, length: number): CollectedSequence {
  return {
    ...sequence,
    tokens: sequence.tokens.slice(0, length),
    mask: sequence.mask.slice(0, length),
    logProbabilities: sequence.logProbabilities.slice(0, length),
  }
}
