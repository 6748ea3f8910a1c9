import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { codeIn, sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest'
import { aCall, anEnd, aStart, record } from '../../contract-tests/testing/call-builders.ts'
import { evaluationsIn } from '../../domain/evaluation-calls/testing/evaluations-in.ts'
import { createModelProviders } from '../../providers/model-providers.ts'
import type { TestApp } from '../../testing/start-test-app.ts'
import { sqlEventOutbox } from '../../events/event-outbox-store.sql.ts'
import { startTestProvider, type TestProvider } from '../../testing/start-test-provider.ts'
import type { Receiver } from './testing/start-receiver.ts'
import { aReceiver, receives, second, startWebhooksApp, webhooksOfProject, type WebhooksOfProject } from './testing/webhooks-of-project.ts'

const op_name = 'Evaluation.evaluate'

describe.each(['sqlite', 'postgres'] as const)('an event on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let provider: TestProvider
  let app: TestApp
  let project_id: string
  let ours: WebhooksOfProject
  let receiver: Receiver
  const time = { now: 1_800_000_000 * second }

  beforeAll(async () => {
    provider = await startTestProvider()
    provider.reply.body = JSON.stringify({ choices: [{ message: { content: 'Paris' } }] })
    const providers = createModelProviders([{ name: 'local', baseUrl: provider.baseUrl, apiKey: 'secret' }], 'local')
    app = await startWebhooksApp(time, kind === 'postgres' ? postgresUrl : undefined, { providers })
  })
  afterAll(async () => {
    provider.close()
    await app.close()
  })
  beforeEach(async () => {
    project_id = app.newProject()
    ours = await webhooksOfProject(app, project_id)
    receiver = await aReceiver()
  })

  const sent = () =>
    receiver.received
      .map(({ body }) => JSON.parse(body) as { type: string; data: Record<string, unknown> })
      .map(({ type, data }) => ({ type, data }))

  async function startedAndEnded(): Promise<string> {
    const { id } = await app.client.calls.start({ start: aStart({ project_id, op_name }) })
    await app.client.calls.end({ end: anEnd({ project_id, id }) })
    return id
  }
  async function endedBeforeItsStart(): Promise<string> {
    const start = aStart({ project_id, op_name })
    await app.client.calls.end({ end: anEnd({ project_id, id: start.id! }) })
    await app.client.calls.start({ start })
    return start.id!
  }
  async function inOneBatch(): Promise<string> {
    const start = aStart({ project_id, op_name })
    const end = anEnd({ project_id, id: start.id! })
    await app.client.calls.upsertBatch({
      batch: [
        { mode: 'start', req: { start } },
        { mode: 'end', req: { end } },
      ],
    })
    return start.id!
  }
  async function asWhole(): Promise<string> {
    const call = aCall({ project_id, op_name })
    await record(app.client, call, aCall({ project_id }))
    return call.id
  }
  async function overTheApi(): Promise<string> {
    const evaluations = evaluationsIn(app.client, project_id)
    const id = await evaluations.startRun()
    await evaluations.finishPrediction(await evaluations.predict({ evaluation_run_id: id }))
    await evaluations.finishRun(id)
    await evaluations.finishRun(id)
    return id
  }
  async function runByTheServer(): Promise<string> {
    const { place } = evaluationsIn(app.client, project_id)
    const classes = { _type: 'LLMStructuredCompletionModel', _class_name: 'LLMStructuredCompletionModel', _bases: ['Object', 'BaseModel'] }
    const val = { ...classes, name: 'model', llm_model_id: 'local/m', default_params: { response_format: 'text' } }
    const { digest } = await app.client.objects.create({ obj: { project_id, object_id: 'model', val } })
    const dataset = await app.client.datasets.create({ ...place, name: 'set', rows: [{ question: 'Capital of France?' }] })
    const ref = (name: string, version: string) => `weave:///${project_id}/object/${name}:${version}`
    const of = { dataset: ref(dataset.object_id, dataset.digest), scorers: [], trials: 1 }
    const { evaluation_ref } = await app.client.evaluations.create({ ...place, name: 'ev', ...of })
    return (await app.client.evaluations.evaluateModel({ project_id, evaluation_ref, model_ref: ref('model', digest) })).call_id
  }

  test.each([
    ['started and ended', startedAndEnded],
    ['whose end comes before its start', endedBeforeItsStart],
    ['in one batch', inOneBatch],
    ['recorded as a whole', asWhole],
    ['written over the API of evaluations', overTheApi],
    ['that the server runs', runByTheServer],
  ])('of a run %s is sent once', async (_, write) => {
    await ours.create({ url: receiver.url })
    const id = await write()
    await receives(receiver, 1)
    await app.client.calls.update({ project_id, call_id: id, display_name: 'renamed' })
    await app.client.calls.end({ end: anEnd({ project_id, id }) })
    await ours.allSent()
    expect(sent()).toMatchObject([{ type: 'evaluation.finished', data: { project_id, evaluation_run_id: id, status: 'completed' } }])
  })

  test('has the fields that the page shows, of the same kinds', async () => {
    await ours.create({ url: receiver.url })
    await asWhole()
    await receives(receiver, 1)
    const shapeOf = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([key, part]) => [key, shapeOf(part)]))
        : typeof value
    const page = readFileSync(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8')
    const [example = ''] = codeIn(page, 'json')
    expect(shapeOf(JSON.parse(receiver.received[0]?.body ?? ''))).toEqual(shapeOf(JSON.parse(example)))
  })

  test('of a run that raised says so, and calls of other ops make none', async () => {
    await ours.create({ url: receiver.url })
    const failed = aCall({ project_id, op_name, exception: 'ValueError: no model' })
    await record(app.client, aCall({ project_id, op_name: 'Evaluation.summarize' }), failed)
    await app.client.calls.start({ start: aStart({ project_id, op_name }) })
    await ours.allSent()
    expect(sent()).toMatchObject([{ data: { evaluation_run_id: failed.id, status: 'failed' } }])
  })

  test('of the audit log is sent once for each request, with its outcome', async () => {
    await ours.create({ url: receiver.url, events: ['audit.entry'] })
    await receives(receiver, 1)
    await app.client.projects.updateTtlSettings({ project_id, retention_days: 30 })
    await app.client.objects.delete({ project_id, object_id: 'missing' }).catch(() => undefined)
    await record(app.client, aCall({ project_id, op_name }))
    await receives(receiver, 3)
    const { entries } = await app.client.auditLog.query({ project_id })
    expect(new Set(sent().map(({ data }) => JSON.stringify(data)))).toEqual(
      new Set(entries.map((entry) => JSON.stringify({ project_id, ...entry }))),
    )
    expect(entries.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ['objects.delete', 'failed'],
      ['projects.updateTtlSettings', 'succeeded'],
      ['webhooks.create', 'succeeded'],
    ])
  })

  const onSqlite = kind === 'sqlite' ? [kind] : []
  /** Runs `work` while writes of this kind fail in the project. */
  async function whileFailing(write: string, work: () => Promise<unknown>): Promise<void> {
    await sql`CREATE TRIGGER no_write BEFORE ${sql.raw(write)} AND NEW.project_id = ${sql.lit(project_id)}
      BEGIN SELECT RAISE(ABORT, 'no write'); END`.execute(app.stores.database)
    try {
      await work()
    } finally {
      await sql`DROP TRIGGER no_write`.execute(app.stores.database)
    }
  }
  const noMessages = `INSERT ON jobs WHEN NEW.kind = 'webhook_message'`
  const setDays = (retention_days: number) => app.client.projects.updateTtlSettings({ project_id, retention_days })

  test.each(onSqlite)('on %s, an outcome in the audit log is stored together with its message, or neither is', async () => {
    await ours.create({ url: receiver.url, events: ['audit.entry'] })
    await receives(receiver, 1)
    await whileFailing(noMessages, () => setDays(30))
    const [entry] = (await app.client.auditLog.query({ project_id })).entries
    expect([entry?.operation, entry?.outcome]).toEqual(['projects.updateTtlSettings', 'started'])
    await receives(receiver, 1)
  })

  test.each(onSqlite)('on %s, of an entry whose outcome is never noted is sent after five minutes, once, and reports it', async () => {
    await ours.create({ url: receiver.url, events: ['audit.entry'] })
    await receives(receiver, 1)
    await whileFailing('UPDATE ON audit_entries WHEN true', () => setDays(30))
    await setDays(31)
    await receives(receiver, 2)
    time.now += 299 * second
    await ours.allSent()
    expect(sent().filter(({ data }) => data['outcome'] === 'started')).toEqual([])
    time.now += second
    await vi.waitFor(() => expect(sent().filter(({ data }) => data['outcome'] === 'started').length).toBe(1), 60_000)
    time.now += 600 * second
    await ours.allSent()
    const [of30, ...others] = sent().filter(({ data }) => data['outcome'] === 'started')
    expect([of30?.data, others]).toMatchObject([{ operation: 'projects.updateTtlSettings', details: '{"retention_days":30}' }, []])
  })

  test.each(onSqlite)('on %s, of a run whose message could not be stored is sent after five minutes, once', async () => {
    await ours.create({ url: receiver.url })
    let id = ''
    await whileFailing(noMessages, async () => (id = await startedAndEnded()))
    const announced = await startedAndEnded()
    await receives(receiver, 1)
    time.now += 300 * second
    await receives(receiver, 2)
    time.now += 600 * second
    await ours.allSent()
    expect(sent().map(({ data }) => data['evaluation_run_id'])).toEqual([announced, id])
  })

  test('that was expected and did not come is not sent', async () => {
    await ours.create({ url: receiver.url })
    const { id } = await app.client.calls.start({ start: aStart({ project_id, op_name }) })
    const deleted = await startedAndEnded()
    await receives(receiver, 1)
    await app.client.calls.delete({ project_id, call_ids: [deleted] })
    const queue = await app.stores.database
      .selectFrom('jobs')
      .select('queue')
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    const another = sqlEventOutbox({ database: app.stores.database, ...queue, sharesStore: true, clock: () => time.now })
    for (const subject of [id, deleted, 'unknown'])
      await another.expectNow([{ projectId: project_id, type: 'evaluation.finished', subject }])
    await app.stores.database.updateTable('jobs').set({ idempotency_key: null }).where('project_id', '=', project_id).execute()
    time.now += 300 * second
    await vi.waitFor(async () => {
      const left = app.stores.database
        .selectFrom('jobs')
        .select('id')
        .where('project_id', '=', project_id)
        .where('kind', '=', 'webhook_check')
      expect(await left.where('state', '!=', 'succeeded').execute()).toEqual([])
    }, 60_000)
    await ours.allSent()
    await receives(receiver, 1)
  })

  sliceOfSuite({ isWhole: kind === 'sqlite' })
})
