import type { RowTrial } from '../../query/results/trials-in.ts'

/** A predict-and-score call without its payloads. */
export interface TrialKey {
  id: string
  started_micros: number
  /** 64-bit integer as text. */
  version: string
  /** Bytes of the payloads. */
  bytes: number
}

/** A row with its trials. */
export interface ResultRow {
  row_digest: string
  /** The evaluations that have the row, by their index in the request and in its order; trials by their start and then id. */
  evaluations: { index: number; trials: RowTrial[] }[]
}

/** Rows with their trials, in their order. Rows whose trials vanished meanwhile are omitted. */
export function toResultRows(found: readonly { row_digest: string }[], trials: readonly RowTrial[]): ResultRow[] {
  const rows = new Map<string, Map<number, RowTrial[]>>(found.map(({ row_digest }) => [row_digest, new Map()]))
  for (const trial of trials) {
    const evaluations = rows.get(trial.row_digest)
    const place = Number(trial.place)
    const own = evaluations?.get(place) ?? []
    if (own.push(trial) === 1) evaluations?.set(place, own)
  }
  return [...rows].flatMap(([row_digest, evaluations]) =>
    evaluations.size === 0 ? [] : [{ row_digest, evaluations: inOrder(evaluations) }],
  )
}

function inOrder(evaluations: ReadonlyMap<number, RowTrial[]>): ResultRow['evaluations'] {
  return [...evaluations].sort(([one], [other]) => one - other).map(([index, trials]) => ({ index, trials: trials.sort(compareStarts) }))
}

function compareStarts(one: RowTrial, other: RowTrial): number {
  return one.started_micros - other.started_micros || (one.id < other.id ? -1 : 1)
}

/** The order of the trials of one row: that of the request, and then of their start. */
export function compareTrials(one: RowTrial, other: RowTrial): number {
  return Number(one.place) - Number(other.place) || compareStarts(one, other)
}
