import { type JsonObject, parseRef } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { JobAborted, type JobHandler, type RunningJob } from '@heddle/jobs'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import { inputsOf, outputOf } from '../../domain/evaluation-calls/stored-call.ts'
import { recordCall, type Recording, rootScope } from '../../domain/scoring/call-scope.ts'
import { derivedId, namedId } from '../../domain/scoring/derived-id.ts'
import { ObjectError } from '../../domain/scoring/load-object.ts'
import type { RunnableScorer } from '../../domain/scoring/runnable-scorer.ts'
import { ScorerError } from '../../domain/scoring/subject.ts'
import { ModelError } from '../../domain/scoring/model/completion-model.ts'
import { score } from '../../domain/scoring/score.ts'
import type { Scoring } from '../../domain/scoring/scoring.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import type { EnsureOps } from '../../records/objects/publish/ensure-ops.ts'
import { opRefs } from '../../records/objects/publish/op-refs.ts'

/** Jobs that score one call with one scorer. */
export const scoreCallKind = 'score_call'

export interface ScoreCallPayload {
  call_id: string
  scorer_ref: string
  user_id: string
  /** The monitor that requested the score, as it was then. Absent: a user did. */
  monitor?: { object_id: string; ref: string }
}

export interface ScoreCallDeps {
  calls: EvaluationCalls
  scoring: Scoring
  ensureOps: EnsureOps
  clock: () => Micros
}

/** A score that was made. */
interface NewScore {
  callId: string
  value: unknown
}

/**
 * Scores a call: a score call in its own trace, and feedback on the scored call. Ids are derived from the job, and for a monitor from the call, so a
 * repeated attempt does not repeat finished work. A score that fails leaves its call with the exception, and no feedback. So does a scorer that
 * cannot be run, except for a monitor. A call that does not exist, or was deleted, is skipped.
 */
export function createScoreCall({ calls, scoring, ensureOps, clock }: ScoreCallDeps): JobHandler {
  return async (job, { signal }) => {
    const payload = job.payload as ScoreCallPayload
    const { call_id, scorer_ref, user_id, monitor } = payload
    const { project } = job
    const subject = await calls.find(project, call_id)
    if (subject === undefined) return { skipped: `call ${call_id} not found` }
    const idOf = idsOf(job, payload)
    const before = await calls.find(project, idOf(`/${scorer_ref}`))
    const made = before === undefined ? await makeScore({ project, payload, subject, idOf, signal }) : madeBefore(before)
    if (made === undefined) return { failed: true }
    const feedback = {
      id: idOf('feedback'),
      callId: call_id,
      scorerRef: scorer_ref,
      scoreCallId: made.callId,
      value: made.value,
      userId: user_id,
      ...(monitor && { monitorRef: monitor.ref }),
    }
    await scoring.storeScores(project, [feedback])
    return { score_call_id: made.callId }
  }

  interface ScoreToMake {
    project: ProjectScope
    payload: ScoreCallPayload
    subject: CallColumns
    idOf: (name: string) => string
    signal: AbortSignal
  }

  /** Undefined for a score that failed. Its calls are stored in both cases. */
  async function makeScore({ project, payload, subject, idOf, signal }: ScoreToMake): Promise<NewScore | undefined> {
    const { call_id, scorer_ref, user_id, monitor } = payload
    const scorer = await loadOrFail(payload, project)
    const className = scorer instanceof Error ? nameIn(scorer_ref) : scorer.className
    const [scoreOp, predictOp] = await opRefs(ensureOps, { project, userId: user_id }, [`${className}.score`, scoring.predictOp])
    const ofMonitor: JsonObject = monitor === undefined ? {} : { monitor: monitor.object_id, monitor_ref: monitor.ref }
    const attributes: JsonObject = monitor === undefined ? {} : { weave: ofMonitor }
    const recording: Recording = { projectId: project.id, traceId: idOf('trace'), userId: user_id, attributes, clock, idOf, calls: [] }
    const inputs = inputsOf(subject)
    const marks = { weave: { score: 'true', prediction_id: call_id, scorer: scorer_ref, ...ofMonitor } }
    const scope = rootScope(recording, { id: '', name: '' })
    const spec = { opRef: scoreOp ?? '', attributes: marks }
    const scored = { output: outputOf(subject), row: inputs, inputs }
    const work =
      scorer instanceof Error
        ? recordCall(scope, { ...spec, name: scorer_ref, inputs: { self: scorer_ref } }, () => Promise.reject(scorer))
        : score(scope, { ...spec, scorer, subject: scored, signal }, scoring.predictAs(predictOp ?? ''))
    const made = await work.catch((error: unknown) => {
      if (signal.aborted || error instanceof JobAborted) throw error
      return undefined
    })
    await calls.writer.write([{ project, changes: recording.calls }])
    return made
  }

  /**
   * If a user requested the score, an unusable scorer returns its error, which becomes the result. For a monitor it is thrown: every call would
   * record the same error.
   */
  async function loadOrFail({ scorer_ref, monitor }: ScoreCallPayload, project: ProjectScope): Promise<RunnableScorer | Error> {
    try {
      return await scoring.loadScorer(project, scorer_ref)
    } catch (error) {
      const isUnusable = error instanceof ObjectError || error instanceof ScorerError || error instanceof ModelError
      if (!isUnusable || monitor !== undefined) throw error
      return error
    }
  }
}

function nameIn(ref: string): string {
  const parsed = parseRef(ref)
  return parsed?.kind === 'object' ? parsed.name : 'scorer'
}

/** What an attempt before this one made of a score. */
function madeBefore(call: CallColumns): NewScore | undefined {
  return call.exception === null || call.exception === '' ? { callId: call.id, value: outputOf(call) } : undefined
}

/** Jobs of a monitor are kept for a while and its scores for longer, so these have separate ids. */
function idsOf({ id, project }: RunningJob, { call_id, scorer_ref, monitor }: ScoreCallPayload): (name: string) => string {
  if (monitor === undefined) return (name) => derivedId(id, name)
  return (name) => namedId([project.id, monitor.object_id, scorer_ref, call_id, name].join('\0'))
}
