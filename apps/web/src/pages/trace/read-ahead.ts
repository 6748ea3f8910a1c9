import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../../app/session.ts'
import { callQuery } from '../calls/call-query.ts'
import { traceQuery } from './trace-queries.ts'

/** Begins to read a call and its trace while the page that shows them still loads. What fails is asked for again by the page, which shows why. */
export async function readTraceAhead(queries: QueryClient, project: string, callId: string): Promise<void> {
  const session = await queries.fetchQuery(sessionQuery)
  if (session === null) return
  await Promise.all([queries.prefetchQuery(traceQuery(project, callId)), queries.prefetchQuery(callQuery(project, callId))])
}
