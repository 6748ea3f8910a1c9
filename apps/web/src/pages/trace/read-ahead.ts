import type { QueryClient } from '@tanstack/react-query'
import { sessionQuery } from '../../app/session.ts'
import { callQuery } from '../calls/calls-queries.ts'
import { traceQuery } from './trace-queries.ts'

/**
 * Begins to read a call and its trace while the page that shows them still loads: the calls of a trace are known by its id alone, so that the
 * page would ask for one after the other. What fails is asked for again by the page, which shows why.
 */
export async function readTraceAhead(queries: QueryClient, project: string, callId: string): Promise<void> {
  const session = await queries.fetchQuery(sessionQuery)
  if (session === null) return
  const call = await queries.fetchQuery(callQuery(project, callId))
  if (call !== null) await queries.prefetchQuery(traceQuery(project, call.trace_id))
}
