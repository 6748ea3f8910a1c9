import { formatTimestamp, type WebhookAttempt } from '@heddle/core-api'
import { tooManyRequests } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { Jobs } from '@heddle/jobs'

export type MessageEvent = WebhookAttempt['event']

/** What the job that delivers a message is given. */
export interface MessagePayload {
  webhook_id: string
  event: MessageEvent
  /** As it is sent in each attempt. */
  body: string
}

/** Kind of the jobs that deliver messages. */
export const messageKind = 'webhook_message'

/** The body of a message by the Standard Webhooks specification. */
export const bodyOfMessage = ({ event, at, data }: { event: MessageEvent; at: Micros; data: object }): string =>
  JSON.stringify({ type: event, timestamp: formatTimestamp(at), data })

export interface WebhookMessages {
  /** Enqueues a message, to be sent at once. @throws ApiError 429 when `maxWaiting` of the webhook wait */
  enqueue(project: ProjectScope, webhookId: string, message: { event: MessageEvent; data: object }): Promise<void>
  /** Messages of a webhook that are to be sent, or sent again. */
  countWaiting(project: ProjectScope, webhookId: string): Promise<number>
}

interface WebhookMessagesDeps {
  jobs: Jobs
  clock: () => Micros
  newId: () => string
  maxWaiting: number
  maxAttempts: number
}

/** Messages to webhooks as jobs, whose ids are theirs. */
export function createWebhookMessages({ jobs, clock, newId, maxWaiting, maxAttempts }: WebhookMessagesDeps): WebhookMessages {
  const countWaiting = async (project: ProjectScope, webhookId: string) => (await jobs.countByKey(project, keyPrefix(webhookId))).unfinished
  return {
    countWaiting,

    async enqueue(project, webhook_id, { event, data }) {
      const waiting = await countWaiting(project, webhook_id)
      if (waiting >= maxWaiting)
        throw tooManyRequests(`${waiting} messages of webhook ${JSON.stringify(webhook_id)} wait for their delivery`, 60)
      const payload: MessagePayload = { webhook_id, event, body: bodyOfMessage({ event, at: clock(), data }) }
      const idempotency = { key: keyPrefix(webhook_id) + newId() }
      await jobs.enqueue(project, { kind: messageKind, payload, idempotency, maxAttempts })
    },
  }
}

const keyPrefix = (webhookId: string) => `webhook/${webhookId}/`
