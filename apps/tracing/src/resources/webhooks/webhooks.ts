import type { ProjectScope } from '@heddle/identity'
import type { Outgoing } from '@heddle/outgoing'
import type { Platform } from '../../platform.ts'
import { createAnnounceEvent } from './announce-event.ts'
import { createDeliverMessage } from './deliver-message.ts'
import { createSendMessage } from './send-message.ts'
import { createWebhookMessages, messageKind } from './webhook-messages.ts'
import { defaultWebhookSettings, type WebhookSettings } from './webhook-settings.ts'
import { webhooksHandlers } from './webhooks-handlers.ts'
import { sqlWebhooksStore } from './webhooks-store.sql.ts'

/** Messages that a server sends at the same time, and of them those of one project. */
const messagesAtOnce = { concurrency: 4, perProject: 2 }
/** Of one attempt, with its reads and writes of the store. */
const attemptLimitMs = 60_000

interface WebhooksOptions {
  outgoing: Outgoing
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
}

/** Webhooks, and the jobs that deliver to them. `start` begins to deliver, in a worker of its own, so that long jobs delay no message. */
export function createWebhooks(platform: Platform, { outgoing, openProject }: WebhooksOptions, given: Partial<WebhookSettings> = {}) {
  const { database, jobs, clock, sharesStore, log } = platform
  const { timeoutMs, pollMs, ...bounds } = { ...defaultWebhookSettings, ...given }
  const store = sqlWebhooksStore(database)
  const messages = createWebhookMessages({ ...platform, ...bounds })
  const send = createSendMessage({ outgoing, clock, timeoutMs })
  const kinds = { [messageKind]: createDeliverMessage({ store, send, clock }) }
  const worker = { kinds, ...messagesAtOnce, timeLimitMs: attemptLimitMs, pollMs, openProject, isOnlyServer: !sharesStore }
  return {
    handlers: webhooksHandlers({ ...platform, store, messages, send }),
    announce: createAnnounceEvent({ store, messages, openProject, log }),
    start: () => jobs.startWorker(worker),
  }
}
