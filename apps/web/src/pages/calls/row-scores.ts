import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { type RowScore, rowScoreOf } from '../../features/calls/row-score.ts'

/** Feedback that is read for the rows of a page. */
const maxFeedback = 1_000

/** Scores of some calls by their ids, newest first and each score once. */
export const rowScoresQuery = (project_id: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['row-scores', project_id, ids],
    enabled: ids.length > 0,
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, readonly RowScore[]>> => {
      const refs = ids.map((id) => ({ $literal: `weave:///${project_id}/call/${id}` }))
      const query = { $expr: { $in: [{ $getField: 'weave_ref' }, refs] } }
      const fields = ['id', 'weave_ref', 'feedback_type', 'payload', 'created_at']
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { result } = await client.feedback.query({ project_id, query, fields, sort_by, limit: maxFeedback }, { signal })
      const scores = new Map<string, RowScore[]>()
      for (const feedback of result) {
        const score = rowScoreOf(feedback)
        const call = String(feedback.weave_ref).split('/').at(-1) ?? ''
        const before = scores.get(call) ?? []
        if (score && !before.some((one) => isSame(one, score))) scores.set(call, [...before, score])
      }
      return scores
    },
    structuralSharing: false,
    staleTime: 30_000,
  })

const isSame = (one: RowScore, other: RowScore) =>
  one.kind === 'score' ? other.kind === 'score' && one.name === other.name : other.kind === 'reaction' && one.emoji === other.emoji
