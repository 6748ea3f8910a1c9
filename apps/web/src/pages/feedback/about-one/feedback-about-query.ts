import { infiniteQueryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'

const pageSize = 100
const newestFirst = [
  { field: 'created_at', direction: 'desc' as const },
  { field: 'id', direction: 'desc' as const },
]

/** Feedback on one thing in pages, the newest first, each with how much there is in all. */
export function feedbackAboutQuery(project_id: string, about: string) {
  return infiniteQueryOptions({
    queryKey: ['feedback-about', project_id, about],
    initialPageParam: 0,
    queryFn: ({ pageParam: offset, signal }) => {
      const isAbout = [{ $getField: 'weave_ref' }, { $literal: about }]
      const page = { sort_by: newestFirst, limit: pageSize, offset }
      return client.feedback.query({ project_id, query: { $expr: { $eq: isAbout } }, ...page }, { signal })
    },
    getNextPageParam: ({ result, total_count }, _pages, offset) =>
      offset + result.length < total_count && result.length > 0 ? offset + result.length : undefined,
  })
}
