import { isApiError, type WebhookEvent } from '@heddle/core-api'
import type { Database, Micros } from '@heddle/datastore'
import type { TransactionalJobs } from '@heddle/jobs'
import type { KnownByProject, ServiceLog } from '@heddle/service-kit'
import type { Subscription, SubscriptionsStore } from './subscriptions-store.ts'
import { bodyOfMessage, keyOfMessage, keyPrefix, type MessagePayload, messageKind } from './webhook-message.ts'

/** What happened in a project, to be sent to its webhooks. */
export interface ProjectEvent {
  projectId: string
  type: WebhookEvent
  /** Names the event among those of its type in the project. What is appended again with the same one is sent once. */
  subject: string
  data: object
}

/** Messages to webhooks that are written together with the change that they tell of, so that a crash loses neither without the other. */
export interface EventOutbox {
  /** False where it is known that no webhook of the project wants such events, so that nothing need be appended. */
  mayWant(projectId: string, type: WebhookEvent): boolean
  /**
   * Writes a message for each webhook of the project that wants the event. The messages are sent once the transaction has committed. An event beyond
   * the messages that may wait is dropped with a line in the log.
   * @throws StoreError when the store failed: the transaction cannot go on
   */
  append(transaction: Database, event: ProjectEvent): Promise<void>
  /** The same in a transaction of its own, for a change that is not in the relational store. */
  appendNow(event: ProjectEvent): Promise<void>
  /** To be called after each change of the webhooks of a project. */
  forget(projectId: string): void
  /** Calls `listener` when messages were appended, whose transaction is about to commit. */
  onAppended(listener: () => void): void
}

export interface OutboxLimits {
  /** Messages of a webhook that wait for their delivery. */
  maxWaiting: number
  /** To deliver a message. */
  maxAttempts: number
}

export const defaultOutboxLimits: OutboxLimits = { maxWaiting: 500, maxAttempts: 20 }

interface EventOutboxDeps extends OutboxLimits {
  inTransaction: (work: (transaction: Database) => Promise<void>) => Promise<void>
  subscriptions: SubscriptionsStore
  known: KnownByProject<readonly Subscription[]>
  jobs: TransactionalJobs
  clock: () => Micros
  log: ServiceLog | undefined
}

const wants = (type: WebhookEvent) => (subscription: Subscription) => subscription.events.includes(type)

export function createEventOutbox(deps: EventOutboxDeps): EventOutbox {
  const { inTransaction, subscriptions, known, jobs, clock, log, maxWaiting, maxAttempts } = deps
  const listeners: (() => void)[] = []

  async function enqueue(transaction: Database, webhookId: string, { projectId, type, subject, data }: ProjectEvent): Promise<void> {
    const waiting = await jobs.countUnfinished(transaction, projectId, keyPrefix(webhookId))
    const line = { operation: 'webhooks.append' }
    if (waiting >= maxWaiting) return void log?.info(line, 'an event was dropped: too many messages of the webhook wait')
    const payload: MessagePayload = { webhook_id: webhookId, event: type, body: bodyOfMessage({ event: type, at: clock(), data }) }
    // The key decides: of an event that is appended again, the first message stands.
    const idempotency = { key: keyOfMessage(webhookId, { type, subject }), content: 0 }
    try {
      await jobs.enqueue(transaction, projectId, { kind: messageKind, payload, idempotency, maxAttempts })
    } catch (error) {
      if (!isApiError(error)) throw error
      log?.error({ ...line, err: error }, 'an event was dropped: its message could not be queued')
    }
  }

  async function append(transaction: Database, event: ProjectEvent): Promise<void> {
    const { projectId, type } = event
    // Through the transaction: on SQLite another connection would wait for its end.
    const all = known.get(projectId) ?? (await known.load(projectId, () => subscriptions.list(transaction, projectId)))
    const wanting = all.filter(wants(type))
    for (const { webhookId } of wanting) await enqueue(transaction, webhookId, event)
    if (wanting.length > 0) for (const listener of listeners) listener()
  }

  const mayWant = (projectId: string, type: WebhookEvent) => known.get(projectId)?.some(wants(type)) ?? true

  return {
    mayWant,
    append,
    async appendNow(event) {
      if (mayWant(event.projectId, event.type)) await inTransaction((transaction) => append(transaction, event))
    },

    forget: known.forget,
    onAppended: (listener) => void listeners.push(listener),
  }
}
