import type { EventOutbox } from '../../events/event-outbox.ts'
import type { WebhooksStore } from './webhooks-store.ts'

/** The store; after each write that changes who is sent what, the outbox reads the webhooks of the project again. */
export function tellingOutbox(store: WebhooksStore, outbox: Pick<EventOutbox, 'forget'>): WebhooksStore {
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
