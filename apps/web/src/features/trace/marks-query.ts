import { queryOptions } from '@tanstack/react-query'
import { isOneOf } from '@heddle/trace-model/query'
import { client } from '../../lib/server/client.ts'
import { type RowScore, rowScoreOf } from '../calls/row-score.ts'
import { keyOfScore } from '../calls/score-mark.tsx'
import type { TraceCall } from './trace-queries.ts'

/** Most calls of a trace whose scores are marked in the tree, and most feedback read for it. The page shows when there are more calls. */
export const maxMarkedCalls = 1_000
const maxMarks = 1_000

/** Scores by their names, then reactions. */
const byName = (one: RowScore, other: RowScore) =>
  Number(one.kind === 'reaction') - Number(other.kind === 'reaction') || keyOfScore(one).localeCompare(keyOfScore(other), 'en')

/** The scores of the calls of a trace by their ids, only the newest for each name, ordered by name. */
export function marksQuery(project_id: string, traceId: string | undefined, calls: readonly TraceCall[]) {
  return queryOptions({
    queryKey: ['trace-marks', project_id, traceId, calls.length],
    enabled: calls.length > 0,
    queryFn: async ({ signal }) => {
      const refs = calls.slice(0, maxMarkedCalls).map(({ id }) => `weave:///${project_id}/call/${id}`)
      const query = { $expr: isOneOf('weave_ref', refs) }
      const fields = ['id', 'weave_ref', 'feedback_type', 'payload', 'created_at']
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { result } = await client.feedback.query({ project_id, query, fields, sort_by, limit: maxMarks }, { signal })
      const marks = new Map<string, RowScore[]>()
      for (const feedback of result) {
        const mark = rowScoreOf(feedback)
        const call = String(feedback.weave_ref).split('/').at(-1)
        if (mark === undefined || call === undefined) continue
        const before = marks.get(call) ?? []
        if (!before.some((one) => keyOfScore(one) === keyOfScore(mark))) marks.set(call, [...before, mark].sort(byName))
      }
      return marks
    },
    structuralSharing: false,
  })
}
