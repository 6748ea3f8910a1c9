import { isApiError } from '@heddle/core-api'
import type { EvalResults, EvalResultsRow } from '@heddle/core-api/types'
import { type ResultsSource, resultsOptions } from './results-source.ts'

/** Rows of the first query. */
const firstRows = 500
/** Rows of one query, which are in memory at a time with the outputs of the model. Each query groups all rows, so there should be few. */
const maxRowsOfPage = 8_000

/** Called after each page with the rows read so far and those there are. */
export type OnRows = (read: number, total: number) => void

/**
 * The rows of evaluations by digest, each with the trials of all of them, a page in memory at a time. A row that moves to another page while
 * an evaluation runs may be missing; none comes twice.
 */
export async function* readRows(source: ResultsSource, runs: readonly string[], onRows: OnRows): AsyncGenerator<EvalResultsRow> {
  const seen = new Set<string>()
  const page = { runs, limit: firstRows, offset: 0, mayGrow: true }
  for (;;) {
    const { rows, total_rows } = await readPage(source, page)
    page.offset += rows.length
    if (page.mayGrow) page.limit = Math.min(page.limit * 2, maxRowsOfPage)
    onRows(Math.min(page.offset, total_rows), total_rows)
    for (const row of rows) {
      if (seen.has(row.row_digest)) continue
      seen.add(row.row_digest)
      yield row
    }
    if (rows.length === 0 || page.offset >= total_rows) return
  }
}

interface NextPage {
  runs: readonly string[]
  limit: number
  offset: number
  /** The pages after it may have more rows. */
  mayGrow: boolean
}

/** Reads a page of as many rows as fit into an answer, and lowers the limit for the pages after it. */
async function readPage(source: ResultsSource, page: NextPage): Promise<EvalResults> {
  const { client, project } = source
  for (;;) {
    const { runs, limit, offset } = page
    const query = {
      entity: project.entity,
      project: project.name,
      evaluation_call_ids: [...runs],
      usage: 'counted' as const,
      limit,
      offset,
    }
    try {
      return await client.evalResults.query(query, resultsOptions(source))
    } catch (error) {
      const isTooLarge = isApiError(error) && error.status === 413
      if (!isTooLarge || limit === 1) throw error
      page.limit = Math.floor(limit / 2)
      page.mayGrow = false
    }
  }
}
