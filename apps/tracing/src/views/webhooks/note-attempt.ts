import { formatTimestamp } from '@heddle/core-api'
import type { WebhookAttempt } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { SentMessage } from './send-message.ts'
import { webhookLimits } from './webhook-limits.ts'
import type { StoredWebhook } from './webhooks-store.ts'

interface AttemptResult {
  message_id: string
  event: WebhookAttempt['event']
  sent: SentMessage
  at: Micros
}

export function toAttempt({ message_id, event, sent: { status, error }, at }: AttemptResult): WebhookAttempt {
  return { message_id, event, status, error, attempted_at: formatTimestamp(at) }
}

/** Whether the last attempt of a message disables a webhook: it no longer exists (410), or has accepted nothing for three days. */
export function disables(
  { failing_since }: Pick<StoredWebhook, 'failing_since'>,
  { sent, at }: Pick<AttemptResult, 'sent' | 'at'>,
): boolean {
  if (sent.error === null) return false
  return sent.status === 410 || at - (failing_since ?? at) >= webhookLimits.failingMs * 1_000
}
