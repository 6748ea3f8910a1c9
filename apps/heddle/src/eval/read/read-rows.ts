import type { EvalResultsRow } from '@heddle/core-api'
import { type ResultsSource, resultsOptions } from './results-source.ts'

/** Rows of one query: what is in memory at a time, with the outputs of the model. */
const rowsOfPage = 500

/** Called after each page with the rows read so far and those there are. */
export type OnRows = (read: number, total: number) => void

/**
 * The rows of evaluations by digest, each with the trials of all of them, a page in memory at a time. A row that moves to another page while
 * an evaluation runs may be missing; none comes twice.
 */
export async function* readRows(source: ResultsSource, runs: readonly string[], onRows: OnRows): AsyncGenerator<EvalResultsRow> {
  const { client, project } = source
  const page = { entity: project.entity, project: project.name, evaluation_call_ids: [...runs], limit: rowsOfPage }
  const seen = new Set<string>()
  for (let offset = 0; ; offset += rowsOfPage) {
    const { rows, total_rows } = await client.evalResults.query({ ...page, offset }, resultsOptions(source))
    onRows(Math.min(offset + rows.length, total_rows), total_rows)
    for (const row of rows) {
      if (seen.has(row.row_digest)) continue
      seen.add(row.row_digest)
      yield row
    }
    if (rows.length < rowsOfPage) return
  }
}
