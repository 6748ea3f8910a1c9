import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp, type TestClient } from '../testing/start-test-app.ts'

const patience = { timeout: 25_000 }
const costs = { m: { prompt_token_cost: 1, completion_token_cost: 1 } }
const queue = { name: 'queue', description: '', scorer_refs: [] }

type Send = (client: TestClient, project_id: string, options: { signal?: AbortSignal }) => Promise<unknown>

/** Requests, each with a table that it cannot do without. */
const requests: { name: string; table: string; send: Send }[] = [
  { name: 'costs.query', table: 'costs', send: (client, project_id, options) => client.costs.query({ project_id }, options) },
  { name: 'costs.create', table: 'costs', send: (client, project_id, options) => client.costs.create({ project_id, costs }, options) },
  { name: 'objects.query', table: 'object_versions', send: (client, project_id, options) => client.objects.query({ project_id }, options) },
  {
    name: 'objects.create',
    table: 'object_latest',
    send: (client, project_id, options) => client.objects.create({ obj: { project_id, object_id: 'o', val: 1 } }, options),
  },
  {
    name: 'objects.listTags',
    table: 'object_tags',
    send: (client, project_id, options) => client.objects.listTags({ project_id }, options),
  },
  { name: 'files.queryStats', table: 'files', send: (client, project_id, options) => client.files.queryStats({ project_id }, options) },
  {
    name: 'projects.updateTtlSettings',
    table: 'project_retention',
    send: (client, project_id, options) => client.projects.updateTtlSettings({ project_id, retention_days: 1 }, options),
  },
  {
    name: 'annotationQueues.create',
    table: 'annotation_queues',
    send: (client, project_id, options) => client.annotationQueues.create({ project_id, ...queue }, options),
  },
]

describe.skipIf(inject('postgresUrl') === '')('statements on PostgreSQL', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ postgresUrl: inject('postgresUrl') })
  })
  afterAll(() => app.close())

  test.each(requests)('of $name end on the server when its client leaves', async ({ table, send }) => {
    const { client, stores, newProject } = app
    const project_id = newProject()
    const gone = new AbortController()
    let answer: Promise<unknown> = Promise.resolve()
    await stores.database.transaction().execute(async (other) => {
      // Statements wait for its end, as long as they would take over many rows.
      await sql`LOCK TABLE ${sql.table(table)} IN ACCESS EXCLUSIVE MODE`.execute(other)
      const waiting = async () => {
        const { rows } = await sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
          WHERE datname = current_database() AND state = 'active' AND wait_event_type = 'Lock'`.execute(stores.database)
        return rows.length
      }
      answer = send(client, project_id, { signal: gone.signal }).then(
        () => 'answered',
        () => 'refused',
      )
      await expect.poll(waiting, patience).toBe(1)
      gone.abort()
      await expect.poll(waiting, patience).toBe(0)
    })
    expect(await answer).toBe('refused')
    expect(await send(client, project_id, {})).toBeDefined()
  })
})
