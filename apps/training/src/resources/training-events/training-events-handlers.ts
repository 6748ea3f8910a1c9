import { formatTimestamp, type Handlers, type training } from '@heddle/core-api'
import type { TrainingEvent } from '@heddle/core-api/types'
import type { Context } from '@heddle/identity'
import { toPage } from '../../page.ts'
import type { OpenJob } from '../training-jobs/open-job.ts'
import type { EventRow, TrainingJobsStore } from '../training-jobs/training-jobs-store.ts'

export interface TrainingEventsDeps {
  store: Pick<TrainingJobsStore, 'listEvents'>
  openJob: OpenJob
}

export function trainingEventsHandlers({ store, openJob }: TrainingEventsDeps): Handlers<typeof training.trainingEvents, Context> {
  return {
    async list({ job_id, after, limit }, context) {
      const { job } = await openJob(context, job_id)
      return toPage(await store.listEvents(context.work, job.id, { after, limit: limit + 1 }), limit, toEvent)
    },
  }
}

/** An event as it travels. */
function toEvent({ id, type, data, created_at }: EventRow): TrainingEvent {
  return { id, type, data: { ...data }, created_at: formatTimestamp(created_at) }
}
