import type { Webhook, WebhookAttempt, WebhookEvent } from '@heddle/core-api/types'

/** Texts of the events to choose from, and of a webhook's listed ones. */
export const textOfEvent: Record<WebhookEvent, string> = {
  'evaluation.finished': 'An evaluation run has ended',
  'training.finished': 'A training job has ended',
  'feedback.mention': 'A note mentions somebody',
  'audit.entry': 'A change that the audit log keeps',
}

/** The result of an attempt, without its time. */
export function answerOf({ status, error }: Pick<WebhookAttempt, 'status' | 'error'>): string {
  return error === null ? `accepted with status ${status}` : error
}

/** Whether messages are sent, and their recent results. */
export function stateOf({
  disabled_at,
  failing_since,
  last_attempt,
}: Pick<Webhook, 'disabled_at' | 'failing_since' | 'last_attempt'>): 'disabled' | 'failing' | 'not used yet' | 'working' {
  if (disabled_at !== null) return 'disabled'
  if (failing_since !== null) return 'failing'
  return last_attempt === null ? 'not used yet' : 'working'
}
