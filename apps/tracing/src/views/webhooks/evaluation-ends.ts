import type { EvaluationRun } from '@heddle/core-api/types'
import type { CallRow } from '@heddle/datastore'
import type { ServiceLog } from '@heddle/service-kit'
import type { EventOutbox, ProjectEvent } from '../../events/event-outbox.ts'
import type { CallColumns, CallsStore } from '../../records/calls/calls-store.ts'
import { type EvaluationEnds, isEndedEvaluation } from '../../records/calls/write/ended-evaluations.ts'
import { toRun } from '../evaluation-runs/run-record.ts'
import type { FindEvent } from './check-event.ts'
import { cutText } from './webhook-limits.ts'

interface EvaluationEndsDeps {
  outbox: Pick<EventOutbox, 'appendNow' | 'expectNow'>
  log: ServiceLog | undefined
}

/** Sends webhook events of evaluation runs that end. The work continues when the client of a request leaves. */
export function createEvaluationEnds({ outbox, log }: EvaluationEndsDeps): EvaluationEnds {
  async function logged(work: () => Promise<void>, message: string): Promise<void> {
    try {
      await work()
    } catch (error) {
      log?.error({ operation: 'webhooks.evaluationEnds', err: error }, message)
    }
  }

  return {
    expect: (calls) =>
      logged(() => outbox.expectNow(calls.map(expectedEvent)), 'an event would be lost in a crash: its check could not be stored'),
    async announce(calls) {
      for (const call of calls)
        await logged(() => outbox.appendNow(evaluationEvent(call)), 'an event is delayed: its message could not be stored')
    },
  }
}

/** What webhooks are sent of a run that was expected to end; undefined where it did not. */
export const findEndedEvaluation =
  ({ calls }: { calls: Pick<CallsStore, 'findLatest'> }): FindEvent =>
  async (project, id) => {
    const [call] = await calls.findLatest(project, [id])
    return call && isEndedEvaluation(call) ? evaluationEvent(call) : undefined
  }

const expectedEvent = ({ project_id, id }: CallRow) => ({ projectId: project_id, type: 'evaluation.finished' as const, subject: id })
const evaluationEvent = (call: CallRow): ProjectEvent => ({ ...expectedEvent(call), data: evaluationData(call) })

type FinishedRun = Omit<EvaluationRun, 'summary' | 'source_evaluation_run_id'> & { project_id: string }

/** What webhooks are sent of an evaluation run whose call has ended, with long references cut. */
function evaluationData(call: CallColumns & { project_id: string }): FinishedRun {
  const { evaluation_run_id, evaluation, model, status, started_at, finished_at } = toRun(call)
  return {
    project_id: call.project_id,
    evaluation_run_id,
    evaluation: cutText(evaluation),
    model: cutText(model),
    status,
    started_at,
    finished_at,
  }
}
