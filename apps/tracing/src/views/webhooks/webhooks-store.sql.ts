import type { WebhookAttempt, WebhookEvent } from '@heddle/core-api/types'
import type { RelationalStore, Tables } from '@heddle/datastore'
import type { Selectable } from 'kysely'
import type { AttemptToNote, StoredWebhook, WebhooksStore } from './webhooks-store.ts'

export function sqlWebhooksStore(database: RelationalStore): WebhooksStore {
  const ofProject = (projectId: string) => database.selectFrom('webhooks').selectAll().where('project_id', '=', projectId)
  return {
    list: async (projectId) => (await ofProject(projectId).orderBy('id').execute()).map(toWebhook),

    async find(projectId, id) {
      // PostgreSQL refuses to look for a text with NUL, which is in no row.
      if (id.includes('\0')) return undefined
      const row = await ofProject(projectId).where('id', '=', id).executeTakeFirst()
      return row && toWebhook(row)
    },

    async insert(project_id, { events, ...webhook }) {
      await database
        .insertInto('webhooks')
        .values({ project_id, ...webhook, events: events.join(' ') })
        .execute()
    },

    async noteAttempt(projectId, id, noted) {
      await database
        .updateTable('webhooks')
        .set((set) => ({
          last_attempt: JSON.stringify(noted.attempt),
          failing_since: noted.attempt.error === null ? null : set.fn.coalesce('failing_since', set.val(noted.at)),
          ...disabledAt(noted),
        }))
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .execute()
    },

    async delete(projectId, id) {
      if (id.includes('\0')) return false
      const { numDeletedRows } = await database
        .deleteFrom('webhooks')
        .where('project_id', '=', projectId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}

/** A failed attempt that does not disable leaves the column as it is, since another attempt may end at the same time. */
function disabledAt({ attempt, at, disables }: AttemptToNote): { disabled_at?: number | null } {
  if (attempt.error === null) return { disabled_at: null }
  return disables ? { disabled_at: at } : {}
}

function toWebhook({ project_id: _project, events, last_attempt, ...webhook }: Selectable<Tables['webhooks']>): StoredWebhook {
  return {
    ...webhook,
    events: events.split(' ') as WebhookEvent[],
    last_attempt: last_attempt === null ? null : (JSON.parse(last_attempt) as WebhookAttempt),
  }
}
