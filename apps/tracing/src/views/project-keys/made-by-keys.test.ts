import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { createIdentity, sqlIdentityStore } from '@heddle/identity'
import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, record } from '../../contract-tests/testing/call-builders.ts'
import { createTestClient, startTestApp, type TestApp, type TestClient } from '../../testing/start-test-app.ts'
import { micros } from '../../testing/system-micros.ts'
import { sqlShellChangesStore } from '../audit-log/shell-changes-store.sql.ts'

const dialects = [
  { dialect: 'SQLite', options: {}, isMissing: false },
  { dialect: 'PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
]
const monitorIn = (project_id: string) => ({
  _type: 'Monitor',
  _class_name: 'Monitor',
  _bases: ['Object', 'BaseModel'],
  active: true,
  scorers: [`weave:///${project_id}/object/judge:latest`],
  op_names: [],
  sampling_rate: 1,
})

describe.each(dialects)('in $dialect', ({ dialect, options, isMissing }) => {
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp(options)
  })
  afterAll(() => app?.close())

  /** A key of an administrator of a new project, and what it makes there: a link, a webhook and a monitor. */
  async function makeAll() {
    const project_id = app.newProject()
    const call = aCall({ project_id })
    await record(app.client, call)
    const { secret, key } = await app.client.projectKeys.create({ project_id, name: `maker-${randomUUID()}`, role: 'admin' })
    const maker = createTestClient(app.service, secret)
    const { shared_trace, token } = await maker.sharedTraces.create({ project_id, trace_id: call.trace_id ?? '' })
    const { webhook } = await maker.webhooks.create({
      project_id,
      name: 'hook',
      url: 'https://hooks.test/x',
      events: ['evaluation.finished'],
    })
    const { digest } = await maker.objects.create({ obj: { project_id, object_id: 'watch', val: monitorIn(project_id) } })
    // What others made stays out of it.
    await app.client.sharedTraces.create({ project_id, trace_id: call.trace_id ?? '' })
    const made = [
      { kind: 'shared_trace', id: shared_trace.id, name: call.trace_id },
      { kind: 'monitor', id: digest, name: 'watch' },
      { kind: 'webhook', id: webhook.id, name: 'hook' },
    ].map((each) => ({ ...each, project_id, key_id: key.id, created_by: key.user_id }))
    return { project_id, key, maker, token, made }
  }
  const stateOf = async ({ project_id, token }: { project_id: string; token: string }) => {
    const [entity = '', project = ''] = project_id.split('/')
    const link = await app.client.sharedTraces.read({ token }).then(
      () => true,
      () => false,
    )
    const { webhooks } = await app.client.webhooks.list({ project_id })
    const { monitors } = await app.client.monitors.list({ entity, project })
    return { link, webhooks: webhooks.length, error: monitors[0]?.error ?? null }
  }

  test.skipIf(isMissing)('what a key made is told when it is revoked, works on, and is listed as without a key', async () => {
    const all = await makeAll()
    const { project_id, key } = all
    expect(await app.client.projectKeys.queryMade({ project_id })).toEqual({ made: [] })
    const { made, revoked_at } = await app.client.projectKeys.revoke({ project_id, key_id: key.id })
    expect(revoked_at).not.toBeNull()
    expect(made).toMatchObject(all.made.map((each) => ({ ...each, is_ended: false })))
    expect(await app.client.projectKeys.queryMade({ project_id })).toEqual({ made })
    expect(await stateOf(all)).toMatchObject({ link: true, webhooks: 1 })
    // The same request for a key that is revoked already ends it all.
    const again = await app.client.projectKeys.revoke({ project_id, key_id: key.id, ends_made: true })
    expect(again.made.map(({ is_ended }) => is_ended)).toEqual([true, true, true])
    expect(await stateOf(all)).toMatchObject({
      link: false,
      webhooks: 0,
      error: expect.stringContaining('switched off with the key') as string,
    })
    expect(await app.client.projectKeys.queryMade({ project_id })).toEqual({ made: [] })
  })

  test.skipIf(isMissing)('what a key made ends with it in one request, and what others made does not', async () => {
    const all = await makeAll()
    await app.client.projectKeys.revoke({ project_id: all.project_id, key_id: all.key.id, ends_made: true })
    expect(await stateOf(all)).toMatchObject({ link: false, webhooks: 0 })
    expect((await app.client.sharedTraces.list({ project_id: all.project_id })).shared_traces).toHaveLength(1)
  })

  test.skipIf(isMissing)('what a key that has expired made is listed', async () => {
    let now = micros()
    const clock = () => now
    const server = await app.anotherServer({ clock })
    const project_id = app.newProject()
    const call = aCall({ project_id })
    await record(server.client, call)
    const { secret, key } = await server.client.projectKeys.create({
      project_id,
      name: `short-${randomUUID()}`,
      role: 'admin',
      expires_in_days: 1,
    })
    await createTestClient(server.service, secret).sharedTraces.create({ project_id, trace_id: call.trace_id ?? '', expires_in_days: 10 })
    now += 2 * 86_400_000_000
    expect((await server.client.projectKeys.queryMade({ project_id })).made).toMatchObject([{ kind: 'shared_trace', key_id: key.id }])
  })

  test.skipIf(isMissing)('what was made before keys were noted is listed as of an unknown key', async () => {
    const { project_id, made } = await makeAll()
    const ids = { shared_traces: 'id', webhooks: 'id', object_versions: 'digest' } as const
    for (const table of ['shared_traces', 'webhooks', 'object_versions'] as const)
      await app.stores.database
        .updateTable(table)
        .set({ key_id: null })
        .where('project_id', '=', project_id)
        .where(
          sql.ref(ids[table]),
          'in',
          made.map(({ id }) => id),
        )
        .execute()
    expect((await app.client.projectKeys.queryMade({ project_id })).made).toMatchObject(made.map((each) => ({ ...each, key_id: '' })))
  })

  test.skipIf(isMissing)('only administrators see what keys made', async () => {
    const { project_id } = await makeAll()
    const reader = await app.clientFor({ name: 'reader', role: 'writer' })
    await expect(reader.projectKeys.queryMade({ project_id })).rejects.toMatchObject({ status: 403 })
  })

  test.skipIf(isMissing)('an administrator of a project makes keys under its own name alone, and an operator under any', async () => {
    const project_id = app.newProject()
    await record(app.client, aCall({ project_id }))
    const admin = await app.clientFor({ name: 'ada', role: 'admin', projects: [{ project_id, role: 'admin' }] })
    const create = (client: TestClient, more: object) => client.projectKeys.create({ project_id, name: 'bob', role: 'writer', ...more })
    const userOf = async (client: TestClient, more: object = {}) => {
      const { secret, key } = await create(client, more)
      const call = aCall({ project_id })
      await record(createTestClient(app.service, secret), call)
      const { call: stored } = await app.client.calls.read({ project_id, id: call.id ?? '' })
      return [key.user_id, stored?.wb_user_id]
    }
    expect(await userOf(admin)).toEqual(['ada', 'ada'])
    expect(await userOf(admin, { user_id: 'ada' })).toEqual(['ada', 'ada'])
    await expect(create(admin, { user_id: 'bob' })).rejects.toMatchObject({
      status: 403,
      message: expect.stringContaining('"bob"') as string,
    })
    const entityAdmin = await app.clientFor({ name: 'eve', role: 'admin', entity: project_id.split('/')[0] ?? '' })
    await expect(create(entityAdmin, { user_id: 'bob' })).rejects.toMatchObject({ status: 403 })
    expect(await userOf(app.client)).toEqual(['bob', 'bob'])
    expect(await userOf(app.client, { user_id: 'carol' })).toEqual(['carol', 'carol'])
  })

  test.skipIf(isMissing)('a change in the shell leaves an entry in each project that its key reaches', async () => {
    const [one, other] = [app.newProject(), app.newProject()]
    for (const project_id of [one, other]) await record(app.client, aCall({ project_id }))
    const identity = createIdentity({ store: sqlIdentityStore(app.stores.database), clock: micros })
    const changes = sqlShellChangesStore(app.stores.database)
    const change = { operation: 'projectKeys.create', details: '{"name":"n"}', user_id: 'root@host', at: micros() }
    const entriesOf = async (project_id: string) =>
      (await app.client.auditLog.query({ project_id })).entries.map(({ user_id, key_id, outcome }) => [user_id, key_id, outcome])
    const narrow = await identity.createKey({ name: 'n', role: 'reader', projects: [{ project_id: one, role: 'reader' }] })
    await changes.note(narrow.key, change)
    expect([await entriesOf(one), await entriesOf(other)]).toEqual([[['root@host', 'shell', 'succeeded']], []])
    await changes.note({ entity: '*', projects: [] }, change)
    expect((await entriesOf(other))[0]).toEqual(['root@host', 'shell', 'succeeded'])
    await changes.note({ entity: 'elsewhere', projects: [] }, change)
    expect((await entriesOf(other)).length).toBe(1)
  })

  sliceOfSuite({ isWhole: dialect === 'SQLite' })
})
