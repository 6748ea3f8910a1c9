import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../lib/server/client.ts'
import { startOf } from '../../../lib/time/time-range.ts'

/** Newest feedback whose types are offered. */
const feedbackRead = 500

/** The types that the newest feedback of a project has. */
export const feedbackTypesQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['feedback-types', project_id],
    queryFn: async ({ signal }) => {
      const sort_by = [{ field: 'created_at', direction: 'desc' as const }]
      const { result } = await client.feedback.query({ project_id, fields: ['feedback_type'], sort_by, limit: feedbackRead }, { signal })
      return [...new Set(result.map(({ feedback_type }) => String(feedback_type)))].toSorted()
    },
    staleTime: 60_000,
  })

/** Paths of numbers and booleans in payloads of a type of feedback of the last 30 days. */
export const feedbackPathsQuery = (project_id: string, feedback_type: string) =>
  queryOptions({
    queryKey: ['feedback-paths', project_id, feedback_type],
    enabled: feedback_type !== '',
    queryFn: async ({ signal }) => {
      const { paths } = await client.feedback.payloadSchema({ project_id, start: startOf('30d'), feedback_type }, { signal })
      return paths.flatMap(({ json_path, value_type }) =>
        value_type === 'categorical' ? [] : [{ path: json_path, isRate: value_type === 'boolean' }],
      )
    },
    staleTime: 60_000,
  })
