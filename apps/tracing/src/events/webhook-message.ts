import { createHash } from 'node:crypto'
import { formatTimestamp } from '@heddle/core-api'
import type { WebhookAttempt } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'

export type MessageEvent = WebhookAttempt['event']

/** Payload of the job that delivers a message. */
export interface MessagePayload {
  webhook_id: string
  event: MessageEvent
  /** As it is sent in each attempt. */
  body: string
}

/** Kind of the jobs that deliver messages. */
export const messageKind = 'webhook_message'

/** Payload of the job that checks the outcome of an expected event. */
export interface CheckPayload {
  type: MessageEvent
  subject: string
}

/** Kind of the jobs that check the outcome of expected events. */
export const checkKind = 'webhook_check'

/** The body of a message by the Standard Webhooks specification. */
export const bodyOfMessage = ({ event, at, data }: { event: MessageEvent; at: Micros; data: object }): string =>
  JSON.stringify({ type: event, timestamp: formatTimestamp(at), data })

/** How the idempotency keys of the messages of a webhook begin. */
export const keyPrefix = (webhookId: string): string => `webhook/${webhookId}/`

/** The key of a message about an event. The subject may be any text, of a client for example. */
export function keyOfMessage(webhookId: string, { type, subject }: { type: MessageEvent; subject: string }): string {
  return keyPrefix(webhookId) + createHash('sha256').update(`${type}\0${subject}`).digest('hex')
}
