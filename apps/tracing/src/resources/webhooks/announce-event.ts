import { isApiError, type WebhookEvent } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import type { ServiceLog } from '@heddle/service-kit'
import type { WebhookMessages } from './webhook-messages.ts'
import type { WebhooksStore } from './webhooks-store.ts'

export interface AnnouncedEvent {
  event: WebhookEvent
  /** Called where a webhook wants the event. */
  data: () => object
}

/**
 * Enqueues a message for each webhook of the project that wants the event. Never rejects, since the event has happened; it does not end when the
 * client of a request leaves.
 */
export type AnnounceEvent = (projectId: string, announced: AnnouncedEvent) => Promise<void>

interface AnnounceEventDeps {
  store: Pick<WebhooksStore, 'list'>
  messages: Pick<WebhookMessages, 'enqueue'>
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
  log: ServiceLog | undefined
}

export function createAnnounceEvent({ store, messages, openProject, log }: AnnounceEventDeps): AnnounceEvent {
  /** A queue that is full is no fault of the server. */
  function onDropped(err: unknown): void {
    const line = { operation: 'webhooks.announce', err }
    if (isApiError(err) && err.status === 429) log?.info(line, 'an event was dropped: too many messages of the webhook wait')
    else log?.error(line, 'an event was dropped: its message could not be queued')
  }

  return async (projectId, { event, data }) => {
    try {
      const stored = await store.list(projectId)
      const wanting = stored.filter(({ events, disabled_at }) => disabled_at === null && events.includes(event))
      if (wanting.length === 0) return
      const project = await openProject(projectId, new AbortController().signal)
      const message = { event, data: data() }
      for (const { id } of wanting) await messages.enqueue(project, id, message).catch(onDropped)
    } catch (error) {
      onDropped(error)
    }
  }
}
