import type { EvaluationRun } from '@heddle/evaluations'
import type { Status } from '../../ui/badge.tsx'

/** The sign of each status of a run. */
export const runIcons: Readonly<Record<string, Status>> = { completed: 'ok', failed: 'error', running: 'running' }

export const runStatusTitles: Readonly<Record<EvaluationRun['status'], string>> = {
  completed: 'Completed',
  running: 'Running',
  failed: 'Failed',
}
