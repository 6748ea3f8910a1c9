import { setTimeout as delay } from 'node:timers/promises'
import type { TrainingEvent } from '@heddle/core-api/types'
import type { TrainingClient } from '../connect.ts'

const pageSize = 100

/** The events of a job as they come, up to and with its last. */
export async function* followJob(
  client: TrainingClient,
  job_id: string,
  { signal, pollMs }: { signal: AbortSignal; pollMs: number },
): AsyncGenerator<TrainingEvent> {
  let after: string | undefined
  for (;;) {
    const page = await client.trainingEvents.list({ job_id, limit: pageSize, ...(after === undefined ? {} : { after }) }, { signal })
    yield* page.data
    after = page.data.at(-1)?.id ?? after
    if (page.data.some(isLast)) return
    if (!page.has_more) await delay(pollMs, undefined, { signal })
  }
}

const isLast = ({ type }: TrainingEvent) => type === 'training_ended' || type === 'training_failed'
