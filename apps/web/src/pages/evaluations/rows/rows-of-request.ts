import type { EvalResultsRow } from '@heddle/core-api'

/** Rows of the first request, which a person waits for; no other has fewer. */
const firstRows = 200
/** A request takes its time whatever it brings, and the page does not respond while it reads a long answer. */
const trialsOfRequest = 6_000
const charactersOfRequest = 4_000_000
const sampledRows = 20

/** How many rows the next request asks for, by the size of those that are known of these runs. */
export function rowsOfRequest(known: readonly EvalResultsRow[], runs: number): number {
  const sample = known.slice(0, sampledRows)
  if (sample.length === 0) return firstRows
  const charactersOfRow = JSON.stringify(sample).length / sample.length
  return Math.max(firstRows, Math.floor(Math.min(trialsOfRequest / runs, charactersOfRequest / charactersOfRow)))
}
