import type { TrainingJob } from '@heddle/core-api/types'
import type { Status } from '../../ui/badge.tsx'

/** The sign of each state of a job, and its words. */
export const jobStatuses: Readonly<Record<TrainingJob['status'], { status: Status; text: string }>> = {
  queued: { status: 'queued', text: 'Queued' },
  running: { status: 'running', text: 'Running' },
  succeeded: { status: 'ok', text: 'Succeeded' },
  failed: { status: 'error', text: 'Failed' },
  cancelled: { status: 'cancelled', text: 'Cancelled' },
}
