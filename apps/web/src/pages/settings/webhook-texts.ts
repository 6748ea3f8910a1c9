import type { Webhook, WebhookAttempt, WebhookEvent } from '@heddle/core-api'

/** What a person chooses from, and what is listed of a webhook. */
export const textOfEvent: Record<WebhookEvent, string> = {
  'evaluation.finished': 'An evaluation run has ended',
  'training.finished': 'A training job has ended',
  'feedback.mention': 'A note mentions somebody',
  'audit.entry': 'A change that the audit log keeps',
}

/** What came of an attempt, without its time. */
export function answerOf({ status, error }: Pick<WebhookAttempt, 'status' | 'error'>): string {
  return error === null ? `accepted with status ${status}` : error
}

/** Whether messages are sent, and how that goes. */
export function stateOf({
  disabled_at,
  failing_since,
  last_attempt,
}: Pick<Webhook, 'disabled_at' | 'failing_since' | 'last_attempt'>): string {
  if (disabled_at !== null) return 'disabled'
  if (failing_since !== null) return 'failing'
  return last_attempt === null ? 'not used yet' : 'working'
}
