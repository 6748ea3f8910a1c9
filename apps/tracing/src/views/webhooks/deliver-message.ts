import type { Micros } from '@heddle/datastore'
import { JobFailure, type JobHandler } from '@heddle/jobs'
import type { MessagePayload } from '../../events/webhook-message.ts'
import { disables, toAttempt } from './note-attempt.ts'
import type { SendMessage } from './send-message.ts'
import { webhookLimits } from './webhook-limits.ts'
import type { WebhooksStore } from './webhooks-store.ts'

interface DeliverMessageDeps {
  store: Pick<WebhooksStore, 'find' | 'noteAttempt'>
  send: SendMessage
  clock: () => Micros
}

/** One attempt to deliver a message. It is noted after it was made: an attempt that a stop of the server cuts is made again. */
export function createDeliverMessage({ store, send, clock }: DeliverMessageDeps): JobHandler {
  return async ({ id, project, payload, attempt, maxAttempts, createdAt }, { signal }) => {
    const { webhook_id, event, body } = payload as MessagePayload
    const webhook = await store.find(project.id, webhook_id)
    if (webhook === undefined) throw givenUp('the webhook was deleted')
    if (webhook.disabled_at !== null) throw givenUp('the webhook is disabled')
    if (attempt > 1 && clock() - createdAt > webhookLimits.retriedMs * 1_000) throw givenUp('the event is older than 24 hours')
    const sent = await send(webhook, { id, body }, signal)
    const at = clock()
    const isLast = sent.isPermanent || attempt >= maxAttempts
    await store.noteAttempt(project.id, webhook_id, {
      attempt: toAttempt({ message_id: id, event, sent, at }),
      at,
      disables: isLast && disables(webhook, { sent, at }),
    })
    if (sent.error === null) return null
    throw new JobFailure(sent.error, { isPermanent: sent.isPermanent, retryAfterMs: delayAfter(attempt, sent.retryAfterMs) })
  }
}

const givenUp = (reason: string) => new JobFailure(reason, { isPermanent: true })

/**
 * Milliseconds from an attempt to the next one: they double with each attempt from five seconds to an hour. At least `askedMs`, of which an hour
 * counts.
 */
export function delayAfter(attempt: number, askedMs: number): number {
  const { firstDelayMs, longestDelayMs } = webhookLimits
  return Math.min(Math.max(firstDelayMs * 2 ** (attempt - 1), askedMs), longestDelayMs)
}
