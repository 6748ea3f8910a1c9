import type { QueryExpression } from '@heddle/core-api'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { equals, not } from '@heddle/trace-model/query'
import { exactClient } from '../../lib/server/client.ts'
import { noteType } from '../queues/answer-types.ts'

const pageSize = 100
const newestFirst = [
  { field: 'created_at', direction: 'desc' as const },
  { field: 'id', direction: 'desc' as const },
]

/** Notes on one thing, or all other feedback on it, in pages, the newest first, each with how much there is in all. */
export function feedbackAboutQuery(project_id: string, about: string, which: 'notes' | 'others') {
  return infiniteQueryOptions({
    queryKey: [...feedbackAboutKey(project_id, about), which],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) => {
      const page = { sort_by: newestFirst, limit: pageSize, offset }
      return exactClient.feedback.query({ project_id, query: queryFor(about, which), ...page }, { signal })
    },
    getNextPageParam: ({ result, total_count }, _pages, offset) =>
      offset + result.length < total_count && result.length > 0 ? offset + result.length : undefined,
  })
}

/** Key of all feedback about one subject. */
export const feedbackAboutKey = (project_id: string, about: string) => ['feedback-about', project_id, about]

function queryFor(about: string, which: 'notes' | 'others'): QueryExpression {
  const isNote = equals('feedback_type', noteType)
  return { $expr: { $and: [equals('weave_ref', about), which === 'notes' ? isNote : not(isNote)] } }
}
