import type { WebhookEvent } from '@heddle/core-api/types'
import type { Database } from '@heddle/datastore'

/** An enabled webhook, and the events it receives. */
export interface Subscription {
  webhookId: string
  events: readonly WebhookEvent[]
}

export interface SubscriptionsStore {
  /** In the order in which they were created. */
  list(transaction: Database, projectId: string): Promise<readonly Subscription[]>
}
