import type { WebhookEvent } from '@heddle/core-api/types'
import type { Micros, RelationalStore } from '@heddle/datastore'
import { sqlTransactionalJobs } from '@heddle/jobs'
import { createProjectCache, type ServiceLog } from '@heddle/service-kit'
import { v7 as newUuid } from 'uuid'
import { createEventOutbox, defaultOutboxLimits, type EventOutbox, type OutboxLimits } from './event-outbox.ts'
import type { SubscriptionsStore } from './subscriptions-store.ts'

export interface SqlEventOutboxOptions extends Partial<OutboxLimits> {
  database: RelationalStore
  /** Queue of the service that delivers messages. Default `tracing`. */
  queue?: string | undefined
  /** True when other servers change webhooks in the same store: they are then seen within 5 s. */
  sharesStore: boolean
  clock: () => Micros
  log?: ServiceLog | undefined
}

/** One for all services of a process, since it remembers which webhooks projects have. */
export function sqlEventOutbox({ database, queue = 'tracing', sharesStore, clock, log, ...limits }: SqlEventOutboxOptions): EventOutbox {
  return createEventOutbox({
    inTransaction: (work) => database.transaction().execute(work),
    subscriptions: sqlSubscriptions,
    known: createProjectCache({ sharesStore, nowMs: () => performance.now() }),
    jobs: sqlTransactionalJobs({ queue, clock, newId: newUuid }),
    clock,
    log,
    ...defaultOutboxLimits,
    ...limits,
  })
}

const sqlSubscriptions: SubscriptionsStore = {
  async list(transaction, projectId) {
    const rows = await transaction
      .selectFrom('webhooks')
      .select(['id', 'events'])
      .where('project_id', '=', projectId)
      .where('disabled_at', 'is', null)
      .orderBy('id')
      .execute()
    return rows.map(({ id, events }) => ({ webhookId: id, events: events.split(' ') as WebhookEvent[] }))
  },
}
