import type { QueryClient } from '@tanstack/react-query'
import { knownSession } from '../../lib/server/session.ts'
import { callsQuery } from '../../features/calls/calls-queries.ts'
import type { CallsSearch } from '../../features/calls/calls-search.ts'

/**
 * Begins to read the first rows while the page that shows them still loads. A failed request is repeated by the page, which shows the error. A list
 * of traces by their totals is left to the page: it first reads which they are.
 */
export async function readCallsAhead(queries: QueryClient, project: string, search: CallsSearch): Promise<void> {
  const query = callsQuery(project, search)
  if (search.traces !== undefined || queries.getQueryState(query.queryKey) !== undefined) return
  if (await knownSession(queries)) await queries.prefetchInfiniteQuery(query)
}
