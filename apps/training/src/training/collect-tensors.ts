import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RowTensors } from './rl/train-rl.ts'

/** Most tokens in one artifact; further rows are only counted. */
const maxTokens = 50_000

/** The artifact of `plot_tensors`: a JSON document with the first trained rows, and the loss of each token. */
export interface TensorsArtifact {
  rows: TensorsRow[]
  /** Rows that are not in it. */
  rows_left_out: number
}

export interface TensorsRow {
  /** From 0. An attempt that resumed from a recovery point begins later. */
  row: number
  learning_rate: number
  sequences: TensorsSequence[]
}

/** Arrays have equal length. Null for tokens that were not sampled, and for missing values. */
export interface TensorsSequence {
  /** Position of the trajectory's group in the request. */
  group: number
  ids: number[]
  mask: number[]
  old_logprobs: (number | null)[]
  new_logprobs: (number | null)[]
  reference_logprobs: (number | null)[] | null
  advantages: (number | null)[]
  weights: (number | null)[]
  ratios: (number | null)[]
  coefficients: (number | null)[]
}

export interface TensorsCollector {
  add(tensors: RowTensors): void
  artifact(): TensorsArtifact
  /** Writes `training_tensors.json` into a folder. */
  write(folder: string): Promise<void>
}

/** Collects the rows of one attempt at a job. */
export function collectTensors(): TensorsCollector {
  const artifact: TensorsArtifact = { rows: [], rows_left_out: 0 }
  let held = 0
  return {
    add(tensors) {
      const tokens = tensors.row.sequences.reduce((sum, sequence) => sum + sequence.tokens.length, 0)
      if (artifact.rows_left_out > 0 || held + tokens > maxTokens) {
        artifact.rows_left_out++
        return
      }
      held += tokens
      artifact.rows.push(describeRow(tensors))
    },
    artifact: () => artifact,
    write: (folder) => writeFile(join(folder, 'training_tensors.json'), JSON.stringify(artifact)),
  }
}

function describeRow({ index, row, sequences }: RowTensors): TensorsRow {
  return {
    row: index,
    learning_rate: row.learningRate,
    sequences: sequences.map(({ tokens, objective }, at) => {
      const { group, tokens: ids } = row.sequences[at]!
      const sampled = (values: ArrayLike<number>) =>
        Array.from(values, (value, t) => (tokens.mask[t] === 1 && Number.isFinite(value) ? value : null))
      return {
        group,
        ids: [...ids],
        mask: [...tokens.mask],
        old_logprobs: sampled(tokens.old),
        new_logprobs: sampled(tokens.now),
        reference_logprobs: tokens.reference && sampled(tokens.reference),
        advantages: sampled(objective.advantages),
        weights: sampled(tokens.weights),
        ratios: sampled(objective.ratios),
        coefficients: sampled(objective.coefficients),
      }
    }),
  }
}
