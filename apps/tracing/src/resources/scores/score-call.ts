import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { JobAborted, type JobHandler } from '@heddle/jobs'
import type { EvaluationCalls } from '../../evaluation-calls/evaluation-calls.ts'
import { inputsOf, outputOf } from '../../evaluation-calls/stored-call.ts'
import { objectRef } from '../../payload/object-ref.ts'
import { type Recording, rootScope } from '../../scoring/call-scope.ts'
import { derivedId } from '../../scoring/derived-id.ts'
import { score } from '../../scoring/score.ts'
import type { Scoring } from '../../scoring/scoring.ts'
import type { EnsureOps } from '../objects/publish/ensure-ops.ts'

/** Jobs that score one call with one scorer. */
export const scoreCallKind = 'score_call'

export interface ScoreCallPayload {
  call_id: string
  scorer_ref: string
  user_id: string
}

export interface ScoreCallDeps {
  calls: EvaluationCalls
  scoring: Scoring
  ensureOps: EnsureOps
  clock: () => Micros
}

/**
 * Scores a call: a score call in a trace of its own, and feedback on the scored call. Ids follow from the job, so a repeated attempt writes nothing
 * twice. A score that fails leaves its call with the exception, and no feedback. A call that is not there, or was deleted, is skipped.
 */
export function createScoreCall({ calls, scoring, ensureOps, clock }: ScoreCallDeps): JobHandler {
  return async (job, { signal }) => {
    const { call_id, scorer_ref, user_id } = job.payload as ScoreCallPayload
    const { project } = job
    const subject = await calls.find(project, call_id)
    if (subject === undefined) return { skipped: `call ${call_id} not found` }
    const scorer = await scoring.loadScorer(project, scorer_ref)
    const [scoreOp, predictOp] = await opRefs(project, [`${scorer.className}.score`, scoring.predictOp], user_id)
    const traceId = derivedId(job.id, 'trace')
    const idOf = (name: string) => derivedId(job.id, name)
    const recording: Recording = { traceId, userId: user_id, attributes: {}, clock, idOf, calls: [] }
    const inputs = inputsOf(subject)
    const marks = { weave: { score: 'true', prediction_id: call_id, scorer: scorer_ref } }
    const request = { scorer, subject: { output: outputOf(subject), row: inputs, inputs }, opRef: scoreOp ?? '', signal, attributes: marks }
    const scored = await score(rootScope(recording, { id: '', name: '' }), request, scoring.predictAs(predictOp ?? '')).catch(
      (error: unknown) => {
        if (signal.aborted || error instanceof JobAborted) throw error
        return undefined
      },
    )
    await calls.writer.write([{ project, changes: recording.calls }])
    if (scored === undefined) return { failed: true }
    const feedback = {
      id: idOf('feedback'),
      callId: call_id,
      scorerRef: scorer_ref,
      scoreCallId: scored.callId,
      value: scored.value,
      userId: user_id,
    }
    await scoring.storeScores(project, [feedback])
    return { score_call_id: scored.callId }
  }

  async function opRefs(project: ProjectScope, names: readonly string[], userId: string): Promise<string[]> {
    const digests = await ensureOps(project, names, userId)
    return names.map((object_id) => objectRef(project, { kind: 'op', object_id, digest: digests.get(object_id) ?? '' }))
  }
}
