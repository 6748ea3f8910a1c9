import type { TrainingJob } from '@heddle/core-api/types'
import { formatDuration } from '../../lib/time/duration.ts'

/** How long a job trained, or trains since; an en dash while it waits. */
export function durationOf(
  { training_start, training_end }: Pick<TrainingJob, 'training_start' | 'training_end'>,
  nowMs = Date.now(),
): string {
  if (training_start === null) return '–'
  return formatDuration(Math.max(0, (training_end === null ? nowMs : Date.parse(training_end)) - Date.parse(training_start)))
}
