import { queryOptions } from '@tanstack/react-query'
import { exactClient } from '../../../lib/server/client.ts'
import { charactersForCell } from '../../../lib/texts/to-text.ts'
import type { AboutCall } from './about-call.ts'

/** What some calls are, by their ids. Null for deleted calls. `ids`: a page of them. */
export function aboutCallsQuery(project_id: string, ids: readonly string[]) {
  const call_ids = [...new Set(ids)]
  return queryOptions({
    queryKey: ['about-calls', project_id, call_ids],
    enabled: call_ids.length > 0,
    queryFn: async ({ signal }) => {
      // It reads messages of every convention, which the page itself does not need.
      const { toAboutCall } = await import('./about-call.ts')
      const columns = ['id', 'op_name', 'display_name', 'attributes', 'inputs']
      const request = { project_id, filter: { call_ids }, columns, max_text_length: charactersForCell }
      const found = new Map<string, AboutCall | null>(call_ids.map((call) => [call, null]))
      for await (const call of exactClient.calls.streamQuery(request, { signal })) {
        found.set(call.id, toAboutCall(call))
      }
      return found
    },
    structuralSharing: false,
    staleTime: 60_000,
  })
}
