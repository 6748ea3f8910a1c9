import type { WebhookAttempt, WebhookEvent } from '@heddle/core-api/types'
import type { Micros } from '@heddle/datastore'
import type { EventOutbox } from '../../events/event-outbox.ts'

export interface NewWebhook {
  id: string
  name: string
  url: string
  events: WebhookEvent[]
  secret: string
  created_by: string
  created_at: Micros
  /** Null: it was made before keys were noted. */
  key_id: string | null
}

export interface StoredWebhook extends NewWebhook {
  last_attempt: WebhookAttempt | null
  /** First attempt that failed since one was accepted. Null where the last one was. */
  failing_since: Micros | null
  /** Null: it is enabled. */
  disabled_at: Micros | null
}

export interface AttemptToNote {
  attempt: WebhookAttempt
  at: Micros
  /** Whether a failed attempt disables the webhook. An accepted attempt enables it. */
  disables: boolean
}

/** Webhooks of projects, by the id of the project. Calls do not end when the client of a request leaves. */
export interface WebhooksStore {
  /** In the order in which they were created. */
  list(projectId: string): Promise<StoredWebhook[]>
  find(projectId: string, id: string): Promise<StoredWebhook | undefined>
  insert(projectId: string, webhook: NewWebhook): Promise<void>
  /** Notes the last attempt. Nothing happens where the webhook was deleted. */
  noteAttempt(projectId: string, id: string, noted: AttemptToNote): Promise<void>
  /** False if there is none. */
  delete(projectId: string, id: string): Promise<boolean>
}

/** The store; after each write that changes who is sent what, the outbox reads the webhooks of the project again. */
export function withOutboxInvalidation(store: WebhooksStore, outbox: Pick<EventOutbox, 'forget'>): WebhooksStore {
  return {
    ...store,
    async insert(projectId, webhook) {
      await store.insert(projectId, webhook)
      outbox.forget(projectId)
    },
    async noteAttempt(projectId, id, noted) {
      await store.noteAttempt(projectId, id, noted)
      // An attempt that failed leaves an enabled webhook enabled; one that was accepted may enable it.
      if (noted.disables || noted.attempt.error === null) outbox.forget(projectId)
    },
    async delete(projectId, id) {
      const isDeleted = await store.delete(projectId, id)
      outbox.forget(projectId)
      return isDeleted
    },
  }
}
