import type { QueryClient } from '@tanstack/react-query'
import { knownSession } from '../../lib/server/session.ts'
import { callQuery } from '../../features/calls/call-query.ts'
import { traceQuery } from '../../features/trace/trace-queries.ts'

/**
 * Begins to read a call and its trace while the page that shows them still loads. Failed requests are repeated by the page, which shows the error.
 */
export async function readTraceAhead(queries: QueryClient, project: string, callId: string): Promise<void> {
  if (!(await knownSession(queries))) return
  await Promise.all([queries.prefetchQuery(traceQuery(project, callId)), queries.prefetchQuery(callQuery(project, callId))])
}
