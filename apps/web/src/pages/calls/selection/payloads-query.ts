import type { Call } from '@heddle/core-api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../../app/client.ts'

/** What went into a call and came out of it. */
export type PayloadsOfCall = Pick<Call, 'inputs' | 'output'>

/** The payloads of some calls, in the order of their ids. Those that are not there are left out. */
export const payloadsQuery = (project_id: string, ids: readonly string[]) =>
  queryOptions({
    queryKey: ['payloads-of-calls', project_id, ids],
    queryFn: async ({ signal }): Promise<PayloadsOfCall[]> => {
      const found = new Map<string, PayloadsOfCall>()
      const columns = ['id', 'inputs', 'output']
      for await (const { id, inputs, output } of client.calls.streamQuery(
        { project_id, filter: { call_ids: [...ids] }, columns },
        { signal },
      ))
        found.set(id, { inputs, output })
      return ids.map((id) => found.get(id)).filter((call) => call !== undefined)
    },
    staleTime: Infinity,
    structuralSharing: false,
  })
