import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query'
import { client } from '../../lib/server/client.ts'
import { readAgain } from '../../lib/server/read-again.ts'

const linksOfPage = 50
const linksKey = (project_id: string) => ['shared-traces', project_id] as const

/** The public links of a project, or those to one of its traces, the newest first. */
export const linksQuery = (project_id: string, trace_id: string | null) =>
  infiniteQueryOptions({
    queryKey: [...linksKey(project_id), trace_id],
    initialPageParam: 0,
    queryFn: ({ signal, pageParam: offset }) => client.sharedTraces.list({ project_id, trace_id, limit: linksOfPage, offset }, { signal }),
    getNextPageParam: ({ has_more }, pages) => (has_more ? pages.reduce((sum, page) => sum + page.shared_traces.length, 0) : undefined),
  })

/** Reads the links of a project again after one was created or revoked. */
export const readLinksAgain = (queries: QueryClient, project_id: string) => readAgain(queries, linksKey(project_id))
