import type { WebhookAttempt, WebhookEvent } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'

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
  /** Whether a failed attempt disables the webhook. One that was accepted enables it. */
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
  /** False where there is none. */
  delete(projectId: string, id: string): Promise<boolean>
}
