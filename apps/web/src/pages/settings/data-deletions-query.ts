import { queryOptions } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'

/** How often deletions that have not ended are read again. */
const progressMs = 2_000

/** Deletions of all data of a selection: those that have not ended, then the newest. */
export const dataDeletionsQuery = (project_id: string) =>
  queryOptions({
    queryKey: ['data-deletions', project_id],
    queryFn: async ({ signal }) => (await client.dataDeletions.query({ project_id, limit: 50 }, { signal })).deletions,
    refetchInterval: ({ state }) => (state.data?.some((deletion) => deletion.state !== 'ended') ? progressMs : false),
  })
