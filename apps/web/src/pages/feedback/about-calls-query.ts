import { queryOptions } from '@tanstack/react-query'
import { client } from '../../app/client.ts'
import { type AboutCall, toAboutCall } from './about-call.ts'
import type { FeedbackRow } from './to-feedback-row.ts'

/** The calls that a page of feedback is about, by their ids. Null for those that were deleted. */
export function aboutCallsQuery(project_id: string, rows: readonly FeedbackRow[]) {
  const call_ids = [...new Set(rows.flatMap(({ callId }) => callId ?? []))]
  return queryOptions({
    queryKey: ['about-calls', project_id, call_ids],
    enabled: call_ids.length > 0,
    queryFn: async ({ signal }) => {
      const columns = ['id', 'op_name', 'display_name', 'attributes', 'inputs']
      const found = new Map<string, AboutCall | null>(call_ids.map((call) => [call, null]))
      for await (const call of client.calls.streamQuery({ project_id, filter: { call_ids }, columns }, { signal })) {
        found.set(call.id, toAboutCall(call))
      }
      return found
    },
    structuralSharing: false,
    staleTime: 60_000,
  })
}
