import { join } from 'node:path'
import { openSqlite, type RelationalStore } from '@heddle/datastore'
import { newApiKey, sqlIdentityStore, toStoredKey } from '@heddle/identity'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { aCall } from './testing/call-builders.ts'
import { type Access, type KillableServers, sendTo, type Server, startKillableServers } from './testing/killable-server.ts'
import { startSharedStores } from './testing/shared-stores.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/queues'
const annotators = Array.from({ length: 64 }, (_, at) => `annotator-${at}`)
/** Items of a queue of one server, and of one of two servers. */
const calls = trials({ usual: 200, long: 400 })
const sharedCalls = trials({ usual: 96, long: 1_000 })

interface Item {
  id: string
  annotation_state: string
  annotator_user_id: string
}

/** What annotators know of the items, by id. */
interface Known {
  /** Who was given an item. */
  given: Map<string, Set<string>>
  /** Who was answered that an item is completed. */
  completed: Map<string, string>
}

/** Stores a key for each annotator. */
async function putKeys(database: RelationalStore): Promise<Map<string, string>> {
  const secrets = new Map(annotators.map((name) => [name, newApiKey()]))
  for (const [name, secret] of secrets)
    await sqlIdentityStore(database).putKey(toStoredKey({ name, userId: name, role: 'writer' }, { secret, now: 1 }))
  return secrets
}

/** The same in a data folder that no server has open. */
async function makeKeys(dataDir: string): Promise<Map<string, string>> {
  const database = await openSqlite(join(dataDir, 'heddle.db'))
  const secrets = await putKeys(database)
  await database.destroy()
  return secrets
}

/** The answer to a request that must succeed; undefined where the server was gone before. */
async function post<T>({ url, apiKey }: Access, path: string, body: object): Promise<T | undefined> {
  const response = await sendTo(url, apiKey, { path, body: JSON.stringify({ project_id, ...body }) })
  if (response === undefined) return undefined
  const text = await response.text()
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text) as T
}

/** A queue of so many new calls. */
async function fillQueue(access: Access, size: number): Promise<string> {
  const batch = Array.from({ length: size }, () => aCall({ project_id }))
  await post(access, `/v2/${project_id}/calls/complete`, { batch })
  const queue = await post<{ id: string }>(access, '/annotation_queues', { name: 'Review', scorer_refs: [] })
  const path = `/annotation_queues/${queue?.id}`
  const added = await post(access, `${path}/items`, { call_ids: batch.map(({ id }) => id), display_fields: [] })
  expect(added).toEqual({ added_count: size, duplicates: 0 })
  return path
}

interface Annotating {
  name: string
  known: Known
  onDone(): void
  /** The server that continues after one was killed; undefined for none. */
  nextServer(): Access | undefined
}

/** Claims and completes until nothing is left, or no server. */
async function annotate(path: string, { name, known, onDone, nextServer }: Annotating): Promise<void> {
  for (let access = nextServer(); access !== undefined;) {
    const claimed = await post<{ items: Item[] }>(access, `${path}/items/claim`, { limit: 3, lease_seconds: 86_400 })
    if (claimed?.items.length === 0) return
    for (const { id } of claimed?.items ?? []) known.given.set(id, (known.given.get(id) ?? new Set()).add(name))
    let isGone = claimed === undefined
    for (const { id } of claimed?.items ?? []) {
      isGone = (await post(access, `${path}/items/${id}/progress`, { annotation_state: 'completed' })) === undefined
      if (isGone) break
      known.completed.set(id, name)
      onDone()
    }
    if (isGone) access = nextServer()
  }
}

/** All items are completed, those that were acknowledged by who was told so, and each was given to one annotator alone. */
function expectEachItemOnce(items: readonly Item[], { given, completed }: Known, size: number): void {
  expect(items).toHaveLength(size)
  for (const { id, annotation_state, annotator_user_id } of items) {
    expect({ id, annotation_state }).toEqual({ id, annotation_state: 'completed' })
    if (completed.has(id)) expect(annotator_user_id).toBe(completed.get(id))
    // A claim whose answer was cut is unknown, unless its items were given to the same annotator again.
    expect([...(given.get(id) ?? [annotator_user_id])]).toEqual([annotator_user_id])
  }
}

async function itemsOf({ url }: Server, apiKey: string, path: string): Promise<Item[]> {
  return (await post<{ items: Item[] }>({ url, apiKey }, `${path}/items/query`, {}))?.items ?? []
}

test('of 64 annotators no two are given one item, and none is lost, when the server is killed in the middle of their claims', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: calls - 100 }), async (killAfter) => {
      const dataDir = await servers.newFolder()
      const [apiKey, secrets] = [newApiKey(), await makeKeys(dataDir)]
      const known: Known = { given: new Map(), completed: new Map() }
      const work = (server: Server, path: string, onDone: () => void) =>
        Promise.all(
          [...secrets].map(([name, secret]) => {
            const only = [{ url: server.url, apiKey: secret }]
            return annotate(path, { name, known, onDone, nextServer: () => only.pop() })
          }),
        )

      const server = await servers.start(dataDir, apiKey)
      const path = await fillQueue({ url: server.url, apiKey }, calls)
      let killed: Promise<void> | undefined
      await work(server, path, () => {
        if (known.completed.size >= killAfter) killed ??= servers.kill(server)
      })
      await killed

      const again = await servers.start(dataDir, apiKey)
      try {
        const states = new Map((await itemsOf(again, apiKey, path)).map((item) => [item.id, item]))
        expect(states.size).toBe(calls)
        for (const [id, annotator_user_id] of known.completed)
          expect(states.get(id)).toMatchObject({ annotation_state: 'completed', annotator_user_id })
        await work(again, path, () => undefined)
        expectEachItemOnce(await itemsOf(again, apiKey, path), known, calls)
        const [stats] =
          (await post<{ stats: object[] }>({ url: again.url, apiKey }, '/annotation_queues/stats', { queue_ids: [path.split('/')[2]] }))
            ?.stats ?? []
        expect(stats).toMatchObject({ total_items: calls, completed_items: calls })
      } finally {
        await servers.kill(again)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)

test.skipIf(inject('postgresUrl') === '')(
  'of 64 annotators on two servers over one PostgreSQL no two are given one item, and none is lost, when the servers are killed in turn',
  { timeout: 1_200_000 },
  async () => {
    const kills = trials({ usual: 1, long: 40 })
    const stores = await startSharedStores(inject('postgresUrl'))
    try {
      const [apiKey, dataDir] = [newApiKey(), await servers.newFolder()]
      const secrets = await putKeys(stores.database)
      const start = () => servers.start(dataDir, apiKey, { shared: stores.urls })
      const running = [await start(), await start()]
      const path = await fillQueue({ url: running[0]!.url, apiKey }, sharedCalls)
      const known: Known = { given: new Map(), completed: new Map() }

      let killed = 0
      let killing = Promise.resolve()
      /** Kills one server after the other, each as soon as the one before is back. */
      const killInTurn = () => {
        if (killed === kills || known.completed.size < ((killed + 1) * sharedCalls) / (kills + 1)) return
        const place = killed++ % running.length
        killing = killing.then(async () => {
          await servers.kill(running[place]!)
          running[place] = await start()
        })
      }
      await Promise.all(
        [...secrets].map(([name, secret], at) => {
          let turn = at
          const nextServer = () => ({ url: running[turn++ % running.length]!.url, apiKey: secret })
          return annotate(path, { name, known, onDone: killInTurn, nextServer })
        }),
      )
      await killing
      expect(killed).toBe(kills)
      for (const server of running) expectEachItemOnce(await itemsOf(server, apiKey, path), known, sharedCalls)
      for (const server of running) await servers.kill(server)
    } finally {
      await stores.close()
    }
  },
)
