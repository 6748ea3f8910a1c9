import type { Call } from '@heddle/core-api/types'
import { client } from '../../../lib/server/client.ts'
import { charactersForCell } from '../../../lib/texts/to-text.ts'
import { toExpression } from '../../filter/call-condition.ts'
import type { CallRow } from '../call-row.ts'
import { type Ends, endsOfSpans, endsOfTraces, type Node } from './ends-below.ts'
import type { RowTexts } from './shown-text.ts'

/** Rows that say less than the calls below them, and whether they represent whole traces. */
export interface SilentRows {
  rows: readonly Pick<CallRow, 'id' | 'traceId'>[]
  areTraces: boolean
}

const usesModel = toExpression([{ path: 'summary.usage', operator: '!=', value: '' }])
/** Calls of the traces of a page that are looked through for their model calls, the oldest first. */
const maxCalls = { traces: 2_000, spans: 5_000 }

/** Input of the first model call below each row, and output of the last one, by the ids of rows. Rows without model calls are omitted. */
export async function readTextsBelow(
  project_id: string,
  { rows, areTraces }: SilentRows,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, RowTexts>> {
  const trace_ids = [...new Set(rows.map(({ traceId }) => traceId))]
  const nodes = await readNodes({ project_id, trace_ids, areTraces }, signal)
  const ends = areTraces ? endsOfTraces(nodes, rows) : endsOfSpans(nodes, rows)
  const texts = await readTexts(project_id, ends, signal)
  return new Map(
    [...ends].map(([id, { first, last }]) => [id, { input: texts.get(first)?.input ?? '', output: texts.get(last)?.output ?? '' }]),
  )
}

async function readNodes(
  { project_id, trace_ids, areTraces }: { project_id: string; trace_ids: string[]; areTraces: boolean },
  signal: AbortSignal,
): Promise<Node[]> {
  const sort_by = [{ field: 'started_at', direction: 'asc' as const }]
  const request = { project_id, filter: { trace_ids }, sort_by, limit: areTraces ? maxCalls.traces : maxCalls.spans }
  const nodes: Node[] = []
  // A trace needs its model calls alone, a span also the calls between them and itself.
  const chosen = areTraces
    ? { ...(usesModel && { query: usesModel }), columns: ['id', 'trace_id', 'started_at'] }
    : { columns: ['id', 'trace_id', 'parent_id', 'started_at', 'summary'] }
  for await (const { id, trace_id, parent_id, summary } of client.calls.streamQuery({ ...request, ...chosen }, { signal }))
    nodes.push({ id, traceId: trace_id, parentId: parent_id ?? null, usesModel: areTraces || hasUsage(summary) })
  return nodes
}

const hasUsage = (summary: Call['summary'] | undefined) => Object.keys(Object(summary?.['usage'])).length > 0

async function readTexts(project_id: string, ends: ReadonlyMap<string, Ends>, signal: AbortSignal): Promise<Map<string, RowTexts>> {
  const call_ids = [...new Set([...ends.values()].flatMap(({ first, last }) => [first, last]))]
  const texts = new Map<string, RowTexts>()
  if (call_ids.length === 0) return texts
  const request = {
    project_id,
    filter: { call_ids },
    columns: ['id', 'inputs', 'output', 'attributes'],
    max_text_length: charactersForCell,
  }
  const { textsOfCall } = await import('../texts-of-call.ts')
  for await (const call of client.calls.streamQuery(request, { signal })) texts.set(call.id, textsOfCall(call))
  return texts
}
