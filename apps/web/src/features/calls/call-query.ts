import type { Call } from '@heddle/core-api/types'
import { queryOptions } from '@tanstack/react-query'
import { exactClient } from '../../lib/server/client.ts'

/** One call with all of its payloads, with exact numbers. Null if it does not exist. */
export function callQuery(project_id: string, id: string) {
  return queryOptions({
    queryKey: ['call', project_id, id],
    queryFn: async ({ signal }): Promise<Call | null> => {
      const { call } = await exactClient.calls.read({ project_id, id, include_costs: true }, { signal })
      return call
    },
    // A call that runs is looked at again.
    refetchInterval: ({ state }) => (state.data?.ended_at === null ? 3_000 : false),
  })
}
