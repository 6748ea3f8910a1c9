import type { CallStatus } from '@heddle/trace-model'
import type { Status } from '../../ui/badge.tsx'

const signs: Record<CallStatus, { status: Status; label: string }> = {
  success: { status: 'ok', label: 'Succeeded' },
  error: { status: 'error', label: 'Failed' },
  running: { status: 'running', label: 'Running' },
  descendant_error: { status: 'warning', label: 'Failed below' },
}

/** The sign and the words of a status. */
export const signOfStatus = (status: CallStatus) => signs[status]
