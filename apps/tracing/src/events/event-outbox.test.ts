import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { WebhookEvent } from '@heddle/core-api/types'
import type { Database, RelationalStore } from '@heddle/datastore'
import { openTestRelational } from '@heddle/datastore/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { sqlWebhooksStore } from '../views/webhooks/webhooks-store.sql.ts'
import type { EventOutbox, ProjectEvent } from './event-outbox.ts'
import { sqlEventOutbox } from './event-outbox-store.sql.ts'

describe.each(['sqlite', 'postgres'] as const)('the outbox of events on %s', (kind) => {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl === '') return
  let database: RelationalStore
  let close: () => Promise<void>
  let outbox: EventOutbox
  let projectId: string
  const lines: unknown[] = []
  const log = { info: (...line: unknown[]) => void lines.push(line), error: (...line: unknown[]) => void lines.push(line) }
  beforeAll(async () => {
    const folder = await mkdtemp(join(inject('storesFolder'), 'outbox-'))
    const stores = await openTestRelational(folder, kind === 'postgres' ? postgresUrl : undefined)
    ;[database, close] = [stores.database, () => stores.closeRelational()]
  })
  afterAll(() => close())
  const anOutbox = (sharesStore: boolean) => sqlEventOutbox({ database, sharesStore, clock: () => 1, log, maxWaiting: 2 })
  beforeEach(() => {
    outbox = anOutbox(false)
    projectId = `test/${randomUUID()}`
    lines.length = 0
  })

  async function aWebhook(...events: WebhookEvent[]): Promise<string> {
    const id = randomUUID()
    const stamp = { created_by: 'u', created_at: 1, key_id: null }
    await sqlWebhooksStore(database).insert(projectId, { id, name: 'hook', url: 'http://127.0.0.1', events, secret: 's', ...stamp })
    outbox.forget(projectId)
    return id
  }
  const anEvent = (subject = 'a'): ProjectEvent => ({ projectId, type: 'audit.entry', subject, data: { subject } })
  const messages = async () => {
    const jobs = await database.selectFrom('jobs').select(['id', 'payload']).where('project_id', '=', projectId).orderBy('number').execute()
    return jobs.map(({ payload }) => JSON.parse(payload) as { webhook_id: string; event: string; body: string })
  }
  const inTransaction = <T>(work: (transaction: Database) => Promise<T>) => database.transaction().execute(work)

  test('holds a message for each webhook that wants an event once its transaction has committed', async () => {
    const wanting = [await aWebhook('audit.entry'), await aWebhook('evaluation.finished', 'audit.entry')]
    await aWebhook('evaluation.finished')
    await inTransaction((transaction) => outbox.append(transaction, anEvent()))
    const body = JSON.stringify({ type: 'audit.entry', timestamp: '1970-01-01T00:00:00.000001Z', data: { subject: 'a' } })
    expect(await messages()).toEqual(wanting.toSorted().map((webhook_id) => ({ webhook_id, event: 'audit.entry', body })))
  })

  test('holds nothing of a change that was rolled back', async () => {
    await aWebhook('audit.entry')
    const failed = inTransaction(async (transaction) => {
      await outbox.append(transaction, anEvent())
      throw new Error('the change failed')
    })
    await expect(failed).rejects.toThrow('the change failed')
    expect(await messages()).toEqual([])
  })

  test('holds one message of an event that is appended again, whose body is the first, also by another server', async () => {
    await aWebhook('audit.entry')
    await outbox.appendNow(anEvent())
    await anOutbox(true).appendNow({ ...anEvent(), data: { subject: 'changed' } })
    await outbox.appendNow(anEvent('b'))
    expect((await messages()).map(({ body }) => (JSON.parse(body) as { data: object }).data)).toEqual([{ subject: 'a' }, { subject: 'b' }])
  })

  test('drops events beyond those that may wait, and the change continues', async () => {
    await aWebhook('audit.entry')
    for (const subject of ['a', 'b', 'c']) await outbox.appendNow(anEvent(subject))
    expect([(await messages()).length, lines]).toEqual([2, [[expect.anything(), expect.stringContaining('too many messages')]]])
  })

  test('takes any text as the subject of an event', async () => {
    await aWebhook('audit.entry')
    for (const subject of ['\0', 'x'.repeat(100_000)]) await outbox.appendNow(anEvent(subject))
    expect((await messages()).length).toBe(2)
  })

  test('reads the webhooks of a project once, and again after it was told to', async () => {
    expect(outbox.mayWant(projectId, 'audit.entry')).toBe(true)
    await outbox.appendNow(anEvent())
    expect(outbox.mayWant(projectId, 'audit.entry')).toBe(false)
    await aWebhook('audit.entry')
    expect(outbox.mayWant(projectId, 'audit.entry')).toBe(true)
    await outbox.appendNow(anEvent())
    expect([(await messages()).length, outbox.mayWant(projectId, 'evaluation.finished')]).toEqual([1, false])
  })

  test('sees a webhook of another server within five seconds where they share the store, and of the only server at once', async () => {
    const other = anOutbox(true)
    const now = vi.spyOn(performance, 'now')
    onTestFinished(() => now.mockRestore())
    const start = performance.now()
    now.mockReturnValue(start)
    await Promise.all([other.appendNow(anEvent()), outbox.appendNow(anEvent())])
    await aWebhook('audit.entry')
    expect([other.mayWant(projectId, 'audit.entry'), outbox.mayWant(projectId, 'audit.entry')]).toEqual([false, true])
    now.mockReturnValue(start + 5_000)
    expect(other.mayWant(projectId, 'audit.entry')).toBe(true)
  })

  test('says when messages were appended, and not where nobody wants them', async () => {
    let times = 0
    outbox.onAppended(() => void times++)
    await outbox.appendNow(anEvent())
    await aWebhook('audit.entry')
    await outbox.appendNow(anEvent())
    expect(times).toBe(1)
  })

  test('notes what is expected where a webhook wants it, to be looked up later', async () => {
    const expected = { projectId, type: 'audit.entry' as const, subject: 'a' }
    await outbox.expectNow([expected])
    await aWebhook('audit.entry')
    await outbox.expectNow([expected, { ...expected, type: 'evaluation.finished' }])
    const jobs = await database.selectFrom('jobs').select(['kind', 'payload', 'run_after']).where('project_id', '=', projectId).execute()
    expect(jobs).toEqual([{ kind: 'webhook_check', payload: '{"type":"audit.entry","subject":"a"}', run_after: 1 + 300_000_000 }])
  })
})
