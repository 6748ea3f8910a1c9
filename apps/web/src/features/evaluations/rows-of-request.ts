import type { EvalResultsRow } from '@heddle/core-api/types'
import { stringifyJson } from '@heddle/json/exact'

/** Rows of the first request, which the user waits for; no other has fewer. */
const firstRows = 200
/** A request takes its time whatever it brings, and the page does not respond while it reads a long answer. */
const trialsOfRequest = 6_000
const charactersOfRequest = 4_000_000
const sampledRows = 20

/** The number of rows of the next request, from the size of the known rows of these runs. */
export function rowsOfRequest(known: readonly EvalResultsRow[], runs: number): number {
  const sample = known.slice(0, sampledRows)
  if (sample.length === 0) return firstRows
  const charactersOfRow = stringifyJson(sample).length / sample.length
  return Math.max(firstRows, Math.floor(Math.min(trialsOfRequest / runs, charactersOfRequest / charactersOfRow)))
}
