import type { WebhookEvent } from '@heddle/core-api/types'
import type { ProjectScope } from '@heddle/identity'
import type { JobHandler } from '@heddle/jobs'
import type { EventOutbox, ProjectEvent } from '../../events/event-outbox.ts'
import type { CheckPayload } from '../../events/webhook-message.ts'

/** Checks the outcome of an expected event. Undefined if there is nothing to send. */
export type FindEvent = (project: ProjectScope, subject: string) => Promise<ProjectEvent | undefined>

export type FindEvents = Partial<Record<WebhookEvent, FindEvent>>

interface CheckEventDeps {
  outbox: Pick<EventOutbox, 'appendNow'>
  find: FindEvents
}

/** Appends an expected event that has happened, unless it was appended then. */
export function createCheckEvent({ outbox, find }: CheckEventDeps): JobHandler {
  return async ({ project, payload }) => {
    const { type, subject } = payload as CheckPayload
    const event = await find[type as WebhookEvent]?.(project, subject)
    if (event) await outbox.appendNow(event)
    return null
  }
}
