import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql as statement } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { isUniqueViolation, openSqlite, type Database } from './database.ts'
import { setUpOfQueues } from './migrations/0019-set-up-of-queues.ts'
import { tokensOfEarlierJobs } from './migrations/0041-tokens-of-earlier-jobs.ts'
import { newPostgresDatabase } from '../testing/new-postgres-database.ts'
import { openPostgres } from './postgres-database.ts'

interface Opened {
  /** Opens the same data again. */
  open(): Promise<Database>
  remove(): Promise<void>
}

async function newFile(): Promise<Opened> {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-relational-'))
  return { open: () => openSqlite(join(folder, 'deep', 'heddle.db')), remove: () => rm(folder, { recursive: true }) }
}

async function newDatabase(): Promise<Opened> {
  const { url, drop } = await newPostgresDatabase(inject('postgresUrl'))
  return { open: () => openPostgres(url), remove: drop }
}

const aProject = (id: string) => ({ id, internal_id: `internal-${id}`, entity: 'entity', name: 'name', created_at: 1_700_000_000_123_456 })

test('a commit is synced when it resolves, so that it survives a power cut', async () => {
  const { open, remove } = await newFile()
  const database = await open()
  const setting = async (name: string) => Object.values((await statement.raw(`PRAGMA ${name}`).execute(database)).rows[0] ?? {})
  const full = 2
  expect([await setting('journal_mode'), await setting('synchronous'), await setting('fullfsync')]).toEqual([['wal'], [full], [1]])
  await database.destroy()
  await remove()
})

describe.each([
  { dialect: 'SQLite', kind: 'sqlite', start: newFile, isMissing: false },
  { dialect: 'PostgreSQL', kind: 'postgres', start: newDatabase, isMissing: inject('postgresUrl') === '' },
] as const)('the relational store on $dialect', ({ kind, start, isMissing }) => {
  let opened: Opened
  let database: Database
  beforeAll(async () => {
    if (isMissing) return
    opened = await start()
    database = await opened.open()
  })
  afterAll(async () => {
    if (isMissing) return
    await database.destroy()
    await opened.remove()
  })

  test.skipIf(isMissing)('opening again finds the schema up to date and the data in place', async () => {
    await database.insertInto('projects').values(aProject('entity/again')).execute()
    const second = await opened.open()
    expect(await second.selectFrom('projects').select('id').where('id', '=', 'entity/again').execute()).toHaveLength(1)
    await second.destroy()
  })

  test.skipIf(isMissing)('numbers of projects count up and are not used again after a delete', async () => {
    const add = (id: string) => database.insertInto('projects').values(aProject(id)).returning('number').executeTakeFirstOrThrow()
    const first = await add('entity/first')
    const second = await add('entity/second')
    expect(second.number).toBe(first.number + 1)
    await database.deleteFrom('projects').where('number', '=', second.number).execute()
    expect((await add('entity/third')).number).toBe(second.number + 1)
  })

  test.skipIf(isMissing)('times in microseconds come back as the same numbers', async () => {
    await database.insertInto('projects').values(aProject('entity/time')).execute()
    const row = await database.selectFrom('projects').select('created_at').where('id', '=', 'entity/time').executeTakeFirst()
    expect(row).toEqual({ created_at: 1_700_000_000_123_456 })
  })

  test.skipIf(isMissing)('a second project of one name is a unique violation, on every unique column', async () => {
    await database.insertInto('projects').values(aProject('entity/once')).execute()
    const again = await database
      .insertInto('projects')
      .values(aProject('entity/once'))
      .execute()
      .catch((error: unknown) => error)
    expect(isUniqueViolation(again)).toBe(true)
    const missing = await database
      .insertInto('files')
      .values({ project_id: 'p' } as never)
      .execute()
      .catch((error: unknown) => error)
    expect(isUniqueViolation(missing)).toBe(false)
  })

  test.skipIf(isMissing)('of many writers of one row exactly one gets it', async () => {
    const attempts = Array.from({ length: 20 }, () =>
      database
        .insertInto('projects')
        .values(aProject('entity/race'))
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('number')
        .execute(),
    )
    expect((await Promise.all(attempts)).filter((rows) => rows.length === 1)).toHaveLength(1)
  })

  test.skipIf(isMissing)('a transaction that throws leaves nothing behind', async () => {
    const failed = database.transaction().execute(async (transaction) => {
      await transaction.insertInto('projects').values(aProject('entity/undone')).execute()
      throw new Error('changed my mind')
    })
    await expect(failed).rejects.toThrow('changed my mind')
    expect(await database.selectFrom('projects').select('id').where('id', '=', 'entity/undone').execute()).toEqual([])
  })

  test.skipIf(isMissing)('the projects of a key go with the key', async () => {
    const key = { id: 'k', name: 'n', user_id: 'u', hash: 'h', prefix: 'p', entity: '*', role: 'admin', scopes: '' }
    await database
      .insertInto('api_keys')
      .values({ ...key, expires_at: null, last_used_at: null, revoked_at: null, created_at: 1 })
      .execute()
    await database.insertInto('api_key_projects').values({ key_id: 'k', project_id: 'entity/project', role: 'reader' }).execute()
    await database.deleteFrom('api_keys').where('id', '=', 'k').execute()
    expect(await database.selectFrom('api_key_projects').selectAll().execute()).toEqual([])
  })

  test.skipIf(isMissing)('texts of every kind come back as they were', async () => {
    const digest = 'it\'s "quoted" \\ \n 🧵 \u202e'
    await database
      .insertInto('files')
      .values({ project_id: 'p', digest, name: digest, size_bytes: 2 ** 40, created_at: 0 })
      .execute()
    expect(await database.selectFrom('files').selectAll().where('digest', '=', digest).execute()).toMatchObject([
      { name: digest, size_bytes: 2 ** 40 },
    ])
  })

  test.skipIf(isMissing)('servers that start together all find the schema', async () => {
    const own = await start()
    const databases = await Promise.all([own.open(), own.open(), own.open()])
    for (const each of databases) expect(await each.selectFrom('object_versions').selectAll().execute()).toEqual([])
    for (const each of databases) await each.destroy()
    await own.remove()
  })

  test.skipIf(isMissing)('reviews of items from before they were counted are counted', async () => {
    const own = await start()
    const before = await own.open()
    for (const part of [
      'INDEX annotation_items_open_at_random',
      'review_count',
      'reviewers_per_item',
      'reservation_minutes',
      'item_order',
    ]) {
      const table = part === 'review_count' ? 'annotation_items' : 'annotation_queues'
      await statement.raw(part.startsWith('INDEX') ? `DROP ${part}` : `ALTER TABLE ${table} DROP COLUMN ${part}`).execute(before)
    }
    for (const [id, finished] of [
      ['a', 1],
      ['b', null],
    ] as const)
      await statement`INSERT INTO annotation_items (id, project_id, queue_id, call_id, call_started_at, call_op_name, call_trace_id,
        display_fields, added_by, created_by, created_at, updated_at, annotation_state, annotator_user_id, finished_at)
        VALUES (${id}, 'p', 'q', ${id}, 1, 'o', 't', '[]', 'u', 'u', 1, 1, 'in_progress', 'u', ${finished})`.execute(before)
    for (const [annotator, state] of Object.entries({ u1: 'completed', u2: 'skipped', u3: 'in_progress' }))
      await statement`INSERT INTO annotation_progress (item_id, annotator_user_id, project_id, annotation_state, created_at, updated_at)
        VALUES ('a', ${annotator}, 'p', ${state}, 1, 1)`.execute(before)
    await setUpOfQueues.up(before as unknown as Kysely<unknown>, kind)
    const items = await before.selectFrom('annotation_items').select(['id', 'review_count']).orderBy('id').execute()
    expect(items).toEqual([
      { id: 'a', review_count: 2 },
      { id: 'b', review_count: 0 },
    ])
    await before.destroy()
    await own.remove()
  })

  test.skipIf(isMissing)('tokens of jobs from before they were counted are those that their gradient steps report', async () => {
    const own = await start()
    const before = await own.open()
    const addJob = async (id: string, trainable_tokens: number | null, events: readonly [type: string, data: object][]) => {
      const job = { id, project_id: 'p', model_id: 'm', kind: 'rl', status: 'succeeded', input: '{}', config: '{}', trainable_tokens }
      await before
        .insertInto('training_jobs')
        .values({ ...job, created_by: 'u', created_at: 1 } as never)
        .execute()
      for (const [seq, [type, data]] of events.entries())
        await before
          .insertInto('training_events')
          .values({ job_id: id, seq, id: `${id}-${seq}`, type, data: JSON.stringify(data), created_at: 1 })
          .execute()
    }
    const step = (num_trainable_tokens: unknown) => ['gradient_step', { loss: 0.5, num_trainable_tokens }] as [string, object]
    await addJob('steps', null, [
      ['training_started', { num_trainable_tokens: 9 }],
      step(140),
      step(12),
      ['training_ended', { error: 'a\0b' }],
    ])
    await addJob('some', null, [step(undefined), step('7'), step(3)])
    await addJob('none', null, [step(undefined)])
    await addJob('queued', null, [])
    await addJob('counted', 5, [step(140)])
    await tokensOfEarlierJobs.up(before as unknown as Kysely<unknown>, kind)
    const jobs = await before.selectFrom('training_jobs').select(['id', 'trainable_tokens']).orderBy('number').execute()
    expect(jobs.map(({ id, trainable_tokens }) => [id, trainable_tokens])).toEqual([
      ['steps', 152],
      ['some', 3],
      ['none', null],
      ['queued', null],
      ['counted', 5],
    ])
    await before.destroy()
    await own.remove()
  })

  test.skipIf(isMissing)('data of a newer version is refused with a reason', async () => {
    const own = await start()
    const database = await own.open()
    await statement`INSERT INTO kysely_migration (name, timestamp) VALUES ('9999-later', '2030-01-01')`.execute(database)
    await database.destroy()
    await expect(own.open()).rejects.toThrow(/written by a newer version of Heddle \(its step "9999-later"/)
    await own.remove()
  })
})

test('on a full disk writes are refused as full, and reads succeed', async () => {
  const opened = await newFile()
  const database = await opened.open()
  const { rows } = await statement<{ page_count: number }>`PRAGMA page_count`.execute(database)
  await statement`PRAGMA max_page_count = ${statement.raw(String(rows[0]!.page_count + 50))}`.execute(database)
  const fill = async () => {
    for (let index = 0; index < 100; index++) {
      await database
        .insertInto('files')
        .values({ project_id: 'p', digest: `${index}`, name: 'x'.repeat(10_000), size_bytes: 1, created_at: 1 })
        .execute()
    }
  }
  await expect(fill()).rejects.toMatchObject({ name: 'StoreError', kind: 'full' })
  expect((await database.selectFrom('files').select('digest').execute()).length).toBeGreaterThan(0)
  await database.destroy()
  await opened.remove()
})

test('the file is accessible to its owner alone', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'heddle-relational-'))
  const database = await openSqlite(join(folder, 'heddle.db'))
  await database.insertInto('projects').values(aProject('entity/mode')).execute()
  for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777, name).toBe(0o600)
  await database.destroy()
  await rm(folder, { recursive: true })
})

test.skipIf(inject('postgresUrl') === '')('what PostgreSQL cannot hold is refused as data', async () => {
  const opened = await newDatabase()
  const database = await opened.open()
  const names = database.selectFrom('object_versions').select('digest').where('object_id', '=', 'a\0b')
  await expect(names.execute()).rejects.toMatchObject({ name: 'StoreError', kind: 'data' })
  const indexes = database
    .selectFrom('object_versions')
    .select('digest')
    .where('version_index', '=', 2 ** 40)
  await expect(indexes.execute()).rejects.toMatchObject({ name: 'StoreError', kind: 'data' })
  await database.destroy()
  await opened.remove()
})

test('an unreachable server is unavailable', async () => {
  await expect(openPostgres('postgres://heddle@127.0.0.1:1/none')).rejects.toThrow('cannot reach the database')
})
