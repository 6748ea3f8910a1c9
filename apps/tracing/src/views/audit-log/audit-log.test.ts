import { tracing } from '@heddle/core-api'
import { isAudited } from '@heddle/core-api/internal'
import { sql } from 'kysely'
import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

test('all that deletes or needs an administrator is audited, and so are prices, aliases, public links and reviews that are taken back', () => {
  const audited = Object.entries(tracing).flatMap(([resource, operations]) =>
    Object.entries(operations).flatMap(([name, operation]) => (isAudited(operation) ? [`${resource}.${name}`] : [])),
  )
  expect(audited.toSorted()).toEqual([
    'annotationQueues.delete',
    'annotationQueues.reopenItem',
    'calls.delete',
    'costs.create',
    'costs.purge',
    'dataDeletions.start',
    'datasets.delete',
    'evaluationRuns.delete',
    'evaluations.delete',
    'feedback.purge',
    'models.delete',
    'objects.delete',
    'objects.removeAliases',
    'objects.setAliases',
    'ops.delete',
    'predictions.delete',
    'projectKeys.create',
    'projectKeys.revoke',
    'projects.updateLimits',
    'projects.updateTtlSettings',
    'scorers.delete',
    'scores.delete',
    'sharedTraces.create',
    'sharedTraces.delete',
    'webhooks.create',
    'webhooks.delete',
    'webhooks.test',
  ])
})

describe.each(['sqlite', 'postgres'] as const)('the audit log on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  const time = { now: 1_800_000_000_000_000 }
  let app: TestApp
  let project_id: string

  beforeAll(async () => {
    app = await startTestApp({ ...(kind === 'postgres' && { postgresUrl }), service: { clock: () => time.now } })
  })
  afterAll(() => app.close())
  beforeEach(async () => {
    project_id = app.newProject()
    await app.client.objects.create({ obj: { project_id, object_id: 'thing', val: 1 } })
  })

  const read = async (more: { after?: string; limit?: number } = {}) => app.client.auditLog.query({ project_id, ...more })
  const told = async () =>
    (await read()).entries.map(({ operation, details, outcome }) => [operation, outcome, JSON.parse(details) as unknown])

  test('reports who asked for what and when, the newest first', async () => {
    const price = { prompt_token_cost: 0.5, completion_token_cost: 1 }
    await app.client.costs.create({ project_id, costs: { m: price } })
    time.now += 1_000_000
    await app.client.projects.updateTtlSettings({ project_id, retention_days: 30 })
    const { entries, has_more } = await read()
    expect([has_more, entries.length]).toEqual([false, 2])
    expect(entries[0]).toEqual({
      id: expect.any(String) as string,
      operation: 'projects.updateTtlSettings',
      details: '{"retention_days":30}',
      outcome: 'succeeded',
      user_id: 'tester',
      key_id: expect.any(String) as string,
      created_at: new Date(time.now / 1_000).toISOString().replace('.000Z', 'Z'),
    })
    expect(entries[1]).toMatchObject({ operation: 'costs.create', outcome: 'succeeded' })
    expect(JSON.parse(entries[1]!.details)).toMatchObject({ costs: { m: price } })
  })

  test('names the project of paths as well, and what was asked of it alone', async () => {
    const [entity, project] = project_id.split('/') as [string, string]
    await app.client.datasets.delete({ entity, project, object_id: 'thing', digests: null })
    expect(await told()).toEqual([['datasets.delete', 'succeeded', { object_id: 'thing' }]])
  })

  test('a request that is refused stands there as failed', async () => {
    await expect(app.client.objects.delete({ project_id, object_id: 'missing' })).rejects.toMatchObject({ status: 404 })
    expect(await told()).toEqual([['objects.delete', 'failed', { object_id: 'missing' }]])
  })

  test('the secret of a key is not in it', async () => {
    const { secret, key } = await app.client.projectKeys.create({ project_id, name: 'agent', role: 'reader' })
    await app.client.projectKeys.revoke({ project_id, key_id: key.id })
    expect(await told()).toEqual([
      ['projectKeys.revoke', 'succeeded', { key_id: key.id, ends_made: false }],
      ['projectKeys.create', 'succeeded', { name: 'agent', role: 'reader' }],
    ])
    expect(JSON.stringify(await read())).not.toContain(secret)
  })

  test('who may not use the project leaves no entry, and only administrators read it', async () => {
    const reader = await app.clientFor({ name: 'reader', role: 'reader' })
    await expect(reader.objects.delete({ project_id, object_id: 'thing' })).rejects.toMatchObject({ status: 403 })
    await expect(reader.auditLog.query({ project_id })).rejects.toMatchObject({ status: 403 })
    expect(await told()).toEqual([])
  })

  test('a project that was never written to has no entries', async () => {
    const missing = app.newProject()
    await app.client.calls.delete({ project_id: missing, call_ids: ['none'] })
    expect(await app.client.auditLog.query({ project_id: missing })).toEqual({ entries: [], has_more: false })
  })

  test('keys, limits and retention of a project that was never written to yet leave entries all the same', async () => {
    const missing = app.newProject()
    await app.client.projects.updateLimits({ project_id: missing, requests_per_minute: 600 })
    await app.client.projects.updateTtlSettings({ project_id: missing, retention_days: 30 })
    await app.client.projectKeys.create({ project_id: missing, name: 'agent', role: 'reader' })
    const { entries } = await app.client.auditLog.query({ project_id: missing })
    expect(entries.map(({ operation, details, outcome }) => [operation, details, outcome])).toEqual([
      ['projectKeys.create', '{"name":"agent","role":"reader"}', 'succeeded'],
      ['projects.updateTtlSettings', '{"retention_days":30}', 'succeeded'],
      ['projects.updateLimits', '{"requests_per_minute":600}', 'succeeded'],
    ])
  })

  test('long requests are cut, and pages continue after an entry', async () => {
    const call_ids = Array.from({ length: 100 }, (_, at) => `call-that-is-not-there-${at}`)
    await app.client.calls.delete({ project_id, call_ids })
    for (const retention_days of [1, 2, 3]) await app.client.projects.updateTtlSettings({ project_id, retention_days })
    const first = await read({ limit: 3 })
    expect(first.entries.map(({ details }) => details)).toEqual([3, 2, 1].map((days) => `{"retention_days":${days}}`))
    expect(first.has_more).toBe(true)
    const second = await read({ after: first.entries[2]!.id, limit: 3 })
    expect(second.entries.map(({ operation, details }) => [operation, details.length, details.at(-1)])).toEqual([
      ['calls.delete', 2_001, '…'],
    ])
    expect(second.has_more).toBe(false)
  })

  const onSqlite = kind === 'sqlite' ? [kind] : []
  test.each(onSqlite)('on %s, a change is answered as made where its outcome cannot be noted', async () => {
    await sql`CREATE TRIGGER no_outcome BEFORE UPDATE ON audit_entries WHEN OLD.project_id = ${sql.lit(project_id)}
      BEGIN SELECT RAISE(ABORT, 'no outcome'); END`.execute(app.stores.database)
    try {
      await app.client.projects.updateTtlSettings({ project_id, retention_days: 30 })
      await expect(app.client.objects.delete({ project_id, object_id: 'missing' })).rejects.toMatchObject({ status: 404 })
    } finally {
      await sql`DROP TRIGGER no_outcome`.execute(app.stores.database)
    }
    expect(await told()).toEqual([
      ['objects.delete', 'started', { object_id: 'missing' }],
      ['projects.updateTtlSettings', 'started', { retention_days: 30 }],
    ])
  })

  test('keeps the newest 10,000 of a project, and at most 99 more', async () => {
    const entry = { project_id, operation: 'calls.delete', details: '{}', outcome: 'succeeded' as const, user_id: 'u', key_id: 'k' }
    const rows = Array.from({ length: 10_000 }, (_, at) => ({ ...entry, id: `0-${String(at).padStart(6, '0')}`, created_at: at }))
    for (let at = 0; at < rows.length; at += 2_500)
      await app.stores.database
        .insertInto('audit_entries')
        .values(rows.slice(at, at + 2_500))
        .execute()
    const left = async () => {
      const { count, first } = await app.stores.database
        .selectFrom('audit_entries')
        .select(({ fn }) => [fn.countAll<number | string>().as('count'), fn.min('id').as('first')])
        .where('project_id', '=', project_id)
        .executeTakeFirstOrThrow()
      return [Number(count), first]
    }
    const change = () => app.client.projects.updateTtlSettings({ project_id, retention_days: 1 })
    await change()
    expect(await left()).toEqual([10_000, '0-000001'])
    for (let written = 0; written < 99; written += 1) await change()
    expect(await left()).toEqual([10_099, '0-000001'])
    await change()
    expect(await left()).toEqual([10_000, '0-000101'])
  })

  sliceOfSuite({ isWhole: kind === 'sqlite' })
})
