import type { TraceTotal } from '@heddle/core-api/types'
import type { CallRow } from '../call-row.ts'

/**
 * Rows of root calls, those that represent a trace with the totals of all of its calls. If a trace has several roots, one represents it. A trace
 * without totals was deleted meanwhile: its row keeps the data of its root.
 */
export function rowsOfTraces(rows: readonly CallRow[], traces: readonly TraceTotal[]): CallRow[] {
  const totals = new Map(traces.map((trace) => [trace.trace_id, trace]))
  return rows.map((row) => {
    const total = totals.get(row.traceId)
    if (total?.root_call_id !== row.id) return row
    const { status, tokens, cost, priced_as, reported_uses, is_parent_missing: isParentMissing } = total
    return { ...row, status, tokens, cost, costSource: { pricedAs: priced_as, reported: reported_uses }, isParentMissing }
  })
}
