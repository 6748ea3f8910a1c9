import { isOneOf } from '@heddle/trace-model/query'
import { isApiError } from '@heddle/core-api'
import type { EvalResultsRow, EvalSummary } from '@heddle/core-api/types'
import { ToolError } from '../../answer/tool-error.ts'
import type { ToolContext } from '../tool-context.ts'

/** Rows of one query. */
const rowsOfQuery = 500
/** Rows that a tool looks at. */
export const maxRows = 20_000
/** Milliseconds for one query: the largest evaluations that the server takes need more than the usual limit. */
const timeoutMs = 120_000

export interface RowsQuery {
  evaluations: readonly string[]
  /** Only rows that all of them have. */
  isIntersection?: boolean
  /** Whether rows include their content. */
  withInputs?: boolean
  /** Whether trials include their costs. */
  withCosts?: boolean
  /** Only these rows. */
  digests?: readonly string[]
}

export interface ReadRows {
  rows: EvalResultsRow[]
  /** Rows that there are. */
  total: number
  /** In the order in which they were named. */
  evaluations: EvalSummary[]
  warnings: string[]
}

/**
 * The rows of evaluations with all trials, at most `maxRows`, and the summaries of the evaluations.
 * @throws ToolError when an evaluation has no rows
 */
export async function readRows(context: ToolContext, wanted: RowsQuery): Promise<ReadRows> {
  const rows: EvalResultsRow[] = []
  let summary: EvalSummary[] = []
  let total = 0
  for (let limit = rowsOfQuery; ;) {
    const answer = await readPage(context, wanted, { limit, offset: rows.length, withSummary: rows.length === 0 })
    if (answer === 'too large') {
      limit = Math.floor(limit / 2)
      continue
    }
    if (answer.summary) summary = answer.summary.evaluations
    total = answer.total_rows
    rows.push(...answer.rows)
    if (answer.rows.length === 0 || rows.length >= Math.min(total, maxRows)) break
  }
  const evaluations = wanted.evaluations.map((id) => summary.find((one) => one.evaluation_call_id === id))
  const missing = wanted.evaluations.filter((_, at) => evaluations[at] === undefined)
  if (missing.length > 0 && wanted.digests === undefined && !wanted.isIntersection) throw noEvaluation(missing, context)
  const warnings = rows.length < total ? [`only the first ${rows.length} of ${total} rows were looked at`] : []
  return { rows, total, evaluations: evaluations.filter((one) => one !== undefined), warnings }
}

/** Error for evaluations without rows: the service does not report which ones exist. */
export function noEvaluation(ids: readonly string[], context: ToolContext): ToolError {
  const named = ids.map((id) => JSON.stringify(id.slice(0, 80))).join(', ')
  return new ToolError(
    'not_found',
    `no results of evaluation ${named} in project ${context.project().id}`,
    'Call evals_list for the ids of its evaluation runs; one that has just begun has no rows yet.',
  )
}

async function readPage(context: ToolContext, wanted: RowsQuery, page: { limit: number; offset: number; withSummary: boolean }) {
  const { entity, project } = context.project()
  const { evaluations, isIntersection = false, withInputs = false, withCosts = false, digests } = wanted
  try {
    return await context.exactTracing.evalResults.query(
      {
        entity,
        project,
        evaluation_call_ids: [...evaluations],
        require_intersection: isIntersection,
        include_raw_data_rows: withInputs,
        resolve_row_refs: withInputs,
        include_summary: page.withSummary,
        usage: 'counted',
        include_costs: withCosts,
        summary_require_intersection: false,
        limit: page.limit,
        offset: page.offset,
        ...(digests && {
          filters: [{ query: { $expr: isOneOf('row_digest', digests) } }],
        }),
      },
      { signal: context.signal, timeoutMs },
    )
  } catch (error) {
    if (isApiError(error) && error.status === 413 && page.limit > 1) return 'too large' as const
    throw error
  }
}
