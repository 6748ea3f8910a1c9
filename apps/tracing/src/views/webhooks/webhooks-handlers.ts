import { formatTimestamp, type Handlers, type tracing } from '@heddle/core-api'
import type { Webhook } from '@heddle/core-api/types'
import { badRequest, notFound } from '@heddle/core-api/internal'
import type { KeyedLock, Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TracingContext } from '../../context.ts'
import { bodyOfMessage } from '../../events/webhook-message.ts'
import { toAttempt } from './note-attempt.ts'
import type { SendMessage } from './send-message.ts'
import { newWebhookSecret } from './sign-message.ts'
import { webhookLimits } from './webhook-limits.ts'
import type { WebhookMessages } from './webhook-messages.ts'
import type { NewWebhook, StoredWebhook, WebhooksStore } from './webhooks-store.ts'

export interface WebhooksDeps {
  store: WebhooksStore
  messages: WebhookMessages
  send: SendMessage
  locks: KeyedLock
  clock: () => Micros
  newId: () => string
}

/** Webhooks of a project, for its administrators. */
export function webhooksHandlers(deps: WebhooksDeps): Handlers<(typeof tracing)['webhooks'], TracingContext> {
  const { store, messages, send, locks, clock, newId } = deps

  /** Of requests at the same time no more than fit are stored. */
  const insert = (project: ProjectScope, webhook: NewWebhook) =>
    locks.withKeys(project, [`webhooks\0${project.id}`], async () => {
      const { perProject } = webhookLimits
      if ((await store.list(project.id)).length >= perProject)
        throw badRequest(`${project.id} has ${perProject} webhooks, which is the most; delete one first`)
      await store.insert(project.id, webhook)
    })

  async function readWebhook(project: ProjectScope, id: string): Promise<StoredWebhook> {
    const webhook = await store.find(project.id, id)
    if (webhook === undefined) throw missing(project, id)
    return webhook
  }

  return {
    async create({ project_id, name, url, events }, context) {
      const project = await context.open(project_id)
      if (project.internalId === '') throw notFound(`project ${project.id} was not found: nothing was recorded in it yet`)
      const secret = newWebhookSecret()
      const stamp = { id: newId(), created_by: context.caller.userId, key_id: context.caller.keyId, created_at: clock() }
      const webhook = { ...stamp, name, url, events: [...new Set(events)], secret }
      await insert(project, webhook)
      return { webhook: toWebhook({ ...webhook, ...unused }, 0), secret }
    },

    async list({ project_id }, context) {
      const project = await context.open(project_id)
      const stored = await store.list(project.id)
      const counts = await Promise.all(stored.map(({ id }) => messages.countWaiting(project, id)))
      return { webhooks: stored.map((webhook, at) => toWebhook(webhook, counts[at] ?? 0)) }
    },

    async delete({ project_id, webhook_id }, context) {
      const project = await context.open(project_id)
      if (!(await store.delete(project.id, webhook_id))) throw missing(project, webhook_id)
      return {}
    },

    async test({ project_id, webhook_id }, context) {
      const project = await context.open(project_id)
      const webhook = await readWebhook(project, webhook_id)
      const message = { message_id: newId(), event: 'webhook.test' as const }
      const data = { project_id: project.id, webhook_id, user_id: context.caller.userId }
      const body = bodyOfMessage({ ...message, at: clock(), data })
      const sent = await send(webhook, { id: message.message_id, body }, context.work.signal)
      const at = clock()
      const attempt = toAttempt({ ...message, sent, at })
      await store.noteAttempt(project.id, webhook_id, { attempt, at, disables: false })
      return attempt
    },
  }
}

const unused = { last_attempt: null, failing_since: null, disabled_at: null }

function toWebhook(
  { secret: _secret, key_id: _key, created_at, failing_since, disabled_at, ...webhook }: StoredWebhook,
  waiting: number,
): Webhook {
  return {
    ...webhook,
    waiting,
    created_at: formatTimestamp(created_at),
    failing_since: failing_since === null ? null : formatTimestamp(failing_since),
    disabled_at: disabled_at === null ? null : formatTimestamp(disabled_at),
  }
}

const missing = ({ id }: ProjectScope, webhookId: string) => notFound(`webhook ${JSON.stringify(webhookId)} was not found in ${id}`)
