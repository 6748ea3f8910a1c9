import type { TraceSource } from '../attempts/read-traces.ts'
import { valueAt } from '@heddle/core-api/internal'
import { equals, isOneOf, isThere } from '@heddle/trace-model/query'

/** A scorer's call that failed. */
export interface ScorerFailure {
  id: string
  /** The call that it was to score. */
  subject: string
  exception: string
}

/** Calls of one request. */
const callsAtOnce = 1_000
/** Most attempts on which to look for failures of the scorer. */
const maxFailures = 10_000
const maxReason = 500

/** The calls in which the scorer failed on some of these calls. */
export async function findFailures(
  { client, project, signal }: TraceSource,
  scorer: string,
  ids: readonly string[],
): Promise<ScorerFailure[]> {
  const failures: ScorerFailure[] = []
  for (let at = 0; at < ids.length; at += callsAtOnce) {
    const request = {
      project_id: project,
      query: { $expr: { $and: conditions(scorer, ids.slice(at, at + callsAtOnce)) } },
      columns: ['id', 'attributes', 'exception'],
      limit: maxFailures,
    }
    for await (const { id, attributes, exception } of client.calls.streamQuery(request, signal ? { signal } : {})) {
      const subject = valueAt(attributes, 'weave.prediction_id')
      if (exception && typeof subject === 'string') failures.push({ id, subject, exception: exception.slice(0, maxReason) })
    }
  }
  return failures
}

function conditions(scorer: string, ids: readonly string[]): object[] {
  return [equals('attributes.weave.scorer', scorer), isOneOf('attributes.weave.prediction_id', ids), isThere('exception')]
}
