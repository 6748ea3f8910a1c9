import type { ServiceLog } from '@heddle/service-kit'
import type { EventOutbox } from '../../events/event-outbox.ts'
import type { EvaluationEnded } from '../calls/write/ended-evaluations.ts'
import { evaluationData } from './evaluation-data.ts'

interface AnnounceEvaluationDeps {
  outbox: Pick<EventOutbox, 'appendNow'>
  log: ServiceLog | undefined
}

/** Tells webhooks of an evaluation run that has ended. Never rejects, since it has ended; it does not end when the client of a request leaves. */
export function createAnnounceEvaluation({ outbox, log }: AnnounceEvaluationDeps): EvaluationEnded {
  return async (call) => {
    try {
      await outbox.appendNow({ projectId: call.project_id, type: 'evaluation.finished', subject: call.id, data: evaluationData(call) })
    } catch (error) {
      log?.error({ operation: 'webhooks.append', err: error }, 'an event was dropped: its message could not be stored')
    }
  }
}
