import { isApiError } from '@heddle/core-api'
import type { WebhookEvent } from '@heddle/core-api/types'
import type { Database, Micros } from '@heddle/datastore'
import type { TransactionalJobs } from '@heddle/jobs'
import type { ProjectCache, ServiceLog } from '@heddle/service-kit'
import type { Subscription, SubscriptionsStore } from './subscriptions-store.ts'
import {
  bodyOfMessage,
  checkKind,
  type CheckPayload,
  keyOfMessage,
  keyPrefix,
  type MessagePayload,
  messageKind,
} from './webhook-message.ts'

/** What happened in a project, to be sent to its webhooks. */
export interface ProjectEvent {
  projectId: string
  type: WebhookEvent
  /** Identifies the event among those of its type in the project. Events appended repeatedly with the same subject are sent once. */
  subject: string
  data: object
}

/** The part of an event that is known before its change is made. */
export type ExpectedEvent = Omit<ProjectEvent, 'data'>

/** Messages to webhooks that are written together with their change, so that a crash loses neither without the other. */
export interface EventOutbox {
  /** False where it is known that no webhook of the project wants such events, so that nothing need be appended. */
  mayWant(projectId: string, type: WebhookEvent): boolean
  /**
   * Writes a message for each webhook of the project that wants the event. The messages are sent once the transaction has committed. An event beyond
   * the messages that may wait is dropped and logged.
   * @throws StoreError when the store failed: the transaction cannot continue
   */
  append(transaction: Database, event: ProjectEvent): Promise<void>
  /** The same in a separate transaction, for a change that is not in the relational store. */
  appendNow(event: ProjectEvent): Promise<void>
  /**
   * Notes that a change is about to be made whose message cannot be written in one transaction with it. Some minutes later a job checks the outcome
   * and appends the event if it is missing: so a crash between the change and its message delays the message, but does not lose it.
   * @throws StoreError when the store failed: the transaction cannot continue
   */
  expect(transaction: Database, events: readonly ExpectedEvent[]): Promise<void>
  /** The same in a separate transaction, for one project. */
  expectNow(events: readonly ExpectedEvent[]): Promise<void>
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
  /** After it was noted, an expected event is looked up. */
  checkAfterMs: number
}

export const defaultOutboxLimits: OutboxLimits = { maxWaiting: 500, maxAttempts: 20, checkAfterMs: 300_000 }

interface EventOutboxDeps extends OutboxLimits {
  inTransaction: (work: (transaction: Database) => Promise<void>) => Promise<void>
  subscriptions: SubscriptionsStore
  known: ProjectCache<readonly Subscription[]>
  jobs: TransactionalJobs
  clock: () => Micros
  log: ServiceLog | undefined
}

const wants = (type: WebhookEvent) => (subscription: Subscription) => subscription.events.includes(type)

export function createEventOutbox(deps: EventOutboxDeps): EventOutbox {
  const { inTransaction, subscriptions, known, jobs, clock, log, maxWaiting, maxAttempts, checkAfterMs } = deps
  const listeners: (() => void)[] = []

  async function enqueue(transaction: Database, webhookId: string, { projectId, type, subject, data }: ProjectEvent): Promise<void> {
    const waiting = await jobs.countUnfinished(transaction, projectId, keyPrefix(webhookId))
    const line = { operation: 'webhooks.append' }
    if (waiting >= maxWaiting) return void log?.info(line, 'an event was dropped: too many messages of the webhook wait')
    const payload: MessagePayload = { webhook_id: webhookId, event: type, body: bodyOfMessage({ event: type, at: clock(), data }) }
    // The key decides: if an event is appended again, the first message is kept.
    const idempotency = { key: keyOfMessage(webhookId, { type, subject }), content: 0 }
    await unlessRefused(jobs.enqueue(transaction, projectId, { kind: messageKind, payload, idempotency, maxAttempts }), () => {
      log?.error(line, 'an event was dropped: the queue of its project takes no message')
    })
  }

  async function enqueueCheck(transaction: Database, { projectId, type, subject }: ExpectedEvent): Promise<void> {
    const payload: CheckPayload = { type, subject }
    const runAfter = clock() + checkAfterMs * 1_000
    await unlessRefused(jobs.enqueue(transaction, projectId, { kind: checkKind, payload, runAfter, maxAttempts }), () => {
      log?.error({ operation: 'webhooks.expect' }, 'an event would be lost in a crash: the queue of its project takes no more')
    })
  }

  async function findWanting(transaction: Database, { projectId, type }: ExpectedEvent): Promise<readonly Subscription[]> {
    // Through the transaction: on SQLite another connection would wait for its end.
    const all = known.get(projectId) ?? (await known.load(projectId, () => subscriptions.list(transaction, projectId)))
    return all.filter(wants(type))
  }

  async function append(transaction: Database, event: ProjectEvent): Promise<void> {
    const wanting = await findWanting(transaction, event)
    for (const { webhookId } of wanting) await enqueue(transaction, webhookId, event)
    if (wanting.length > 0) for (const listener of listeners) listener()
  }

  async function expect(transaction: Database, events: readonly ExpectedEvent[]): Promise<void> {
    for (const event of events) if ((await findWanting(transaction, event)).length > 0) await enqueueCheck(transaction, event)
  }

  const mayWant = (projectId: string, type: WebhookEvent) => known.get(projectId)?.some(wants(type)) ?? true

  return {
    mayWant,
    append,
    async appendNow(event) {
      if (mayWant(event.projectId, event.type)) await inTransaction((transaction) => append(transaction, event))
    },

    expect,
    async expectNow(events) {
      const some = events.filter(({ projectId, type }) => mayWant(projectId, type))
      if (some.length > 0) await inTransaction((transaction) => expect(transaction, some))
    },
    forget: known.forget,
    onAppended: (listener) => void listeners.push(listener),
  }
}

/** A full queue is not an error of the transaction, which continues. */
async function unlessRefused(enqueued: Promise<unknown>, onRefused: () => void): Promise<void> {
  try {
    await enqueued
  } catch (error) {
    if (!isApiError(error)) throw error
    onRefused()
  }
}
