import type { ProjectScope } from '@heddle/identity'
import type { Outgoing } from '@heddle/outgoing'
import { checkKind, messageKind } from '../../events/webhook-message.ts'
import type { Platform } from '../../platform.ts'
import { createCheckEvent, type FindEvents } from './check-event.ts'
import { createDeliverMessage } from './deliver-message.ts'
import { createSendMessage } from './send-message.ts'
import { createWebhookMessages } from './webhook-messages.ts'
import { defaultWebhookSettings, type WebhookSettings } from './webhook-limits.ts'
import { webhooksHandlers } from './webhooks-handlers.ts'
import { withOutboxInvalidation } from './webhooks-store.ts'
import { sqlWebhooksStore } from './webhooks-store.sql.ts'

/** Messages that a server sends at the same time, and of them those of one project. */
const messagesAtOnce = { concurrency: 4, perProject: 2 }
/** Limit of one attempt, including its reads and writes of the store. */
const attemptLimitMs = 60_000

interface WebhooksOptions {
  outgoing: Outgoing
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
}

/** Webhooks, and the jobs that deliver to them. `start` begins to deliver, in a separate worker, so that long jobs delay no message. */
export function createWebhooks(platform: Platform, { outgoing, openProject }: WebhooksOptions, given: Partial<WebhookSettings> = {}) {
  const { database, jobs, clock, sharesStore, outbox } = platform
  const { timeoutMs, pollMs } = { ...defaultWebhookSettings, ...given }
  const store = withOutboxInvalidation(sqlWebhooksStore(database), outbox)
  const messages = createWebhookMessages(jobs)
  const send = createSendMessage({ outgoing, clock, timeoutMs })
  const deliver = createDeliverMessage({ store, send, clock })
  const worker = { ...messagesAtOnce, timeLimitMs: attemptLimitMs, pollMs, openProject, isOnlyServer: !sharesStore }
  return {
    handlers: webhooksHandlers({ ...platform, store, messages, send }),
    /** `find` checks the outcome of expected events. */
    start(find: FindEvents) {
      outbox.onAppended(jobs.expect)
      const kinds = { [messageKind]: deliver, [checkKind]: createCheckEvent({ outbox, find }) }
      return jobs.startWorker({ ...worker, kinds })
    },
  }
}
