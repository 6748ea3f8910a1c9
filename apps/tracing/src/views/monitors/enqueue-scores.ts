import { createHash } from 'node:crypto'
import type { ProjectScope } from '@heddle/identity'
import type { Jobs, NewJob } from '@heddle/jobs'
import { objectRef } from '../../payload/object-ref.ts'
import { scoreCallKind, type ScoreCallPayload } from '../scores/score-call.ts'
import type { MonitorVersion } from './monitors-store.ts'

/** Calls that a monitor chose, and their scorers. */
export interface ChosenCalls {
  callIds: readonly string[]
  scorers: readonly string[]
}

/** Enqueues a job for each call and scorer, at most 1,000 together, all or none. A job that is there already is not enqueued again. */
export async function enqueueScores(
  jobs: Pick<Jobs, 'enqueueAll'>,
  { project, version }: { project: ProjectScope; version: MonitorVersion },
  { callIds, scorers }: ChosenCalls,
): Promise<void> {
  const monitor = { object_id: version.object_id, ref: objectRef(project, version) }
  const jobOf = (call_id: string, scorer_ref: string): NewJob => {
    const payload: ScoreCallPayload = { call_id, scorer_ref, user_id: version.wb_user_id ?? '', monitor }
    // A later version of the monitor does not score the call again, so the key alone decides.
    return { kind: scoreCallKind, payload, idempotency: { key: jobKey(version.object_id, { call_id, scorer_ref }), content: '' } }
  }
  const wanted = callIds.flatMap((callId) => scorers.map((scorer) => jobOf(callId, scorer)))
  if (wanted.length > 0) await jobs.enqueueAll(project, wanted)
}

/** How the keys of all jobs of a monitor begin. */
export const jobKeyPrefix = (objectId: string) => `monitor/${objectId}/`

function jobKey(objectId: string, { call_id, scorer_ref }: Pick<ScoreCallPayload, 'call_id' | 'scorer_ref'>): string {
  return jobKeyPrefix(objectId) + createHash('sha256').update(`${call_id}\0${scorer_ref}`).digest('base64url')
}
