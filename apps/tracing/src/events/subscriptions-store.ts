import type { WebhookEvent } from '@heddle/core-api'
import type { Database } from '@heddle/datastore'

/** A webhook that is enabled, and what it is sent. */
export interface Subscription {
  webhookId: string
  events: readonly WebhookEvent[]
}

export interface SubscriptionsStore {
  /** In the order in which they were created. */
  list(transaction: Database, projectId: string): Promise<readonly Subscription[]>
}
