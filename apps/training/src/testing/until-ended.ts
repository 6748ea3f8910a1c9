import { setTimeout as delay } from 'node:timers/promises'
import type { TrainingJob } from '@heddle/core-api/types'
import type { TestClient } from './start-training-app.ts'

/** The job once it has ended; the time limit of the test bounds the wait. */
export async function untilEnded(client: TestClient, job_id: string): Promise<TrainingJob> {
  for (;;) {
    const job = await client.trainingJobs.read({ job_id })
    if (job.training_end !== null) return job
    await delay(40)
  }
}

/** All events of a job, page by page, as clients read them. */
export async function allEvents(client: TestClient, job_id: string, limit = 20) {
  const events = []
  let after: string | undefined
  for (;;) {
    const page = await client.trainingEvents.list({ job_id, limit, ...(after === undefined ? {} : { after }) })
    events.push(...page.data)
    if (!page.has_more) return events
    after = page.last_id
  }
}
