import { join } from 'node:path'
import { openSqlite } from '@heddle/datastore'
import { newApiKey, sqlIdentityStore, toStoredKey } from '@heddle/identity'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall } from './testing/call-builders.ts'
import { type Access, type KillableServers, sendTo, type Server, startKillableServers } from './testing/killable-server.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/queues'
const annotators = Array.from({ length: 64 }, (_, at) => `annotator-${at}`)
const calls = 400

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

/** Stores a key for each annotator in a data folder that no server has open. */
async function makeKeys(dataDir: string): Promise<Map<string, string>> {
  const database = await openSqlite(join(dataDir, 'heddle.db'))
  const secrets = new Map(annotators.map((name) => [name, newApiKey()]))
  for (const [name, secret] of secrets)
    await sqlIdentityStore(database).putKey(toStoredKey({ name, userId: name, role: 'writer' }, { secret, now: 1 }))
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

/** A queue of new calls. */
async function fillQueue(access: Access): Promise<string> {
  const batch = Array.from({ length: calls }, () => aCall({ project_id }))
  await post(access, `/v2/${project_id}/calls/complete`, { batch })
  const queue = await post<{ id: string }>(access, '/annotation_queues', { name: 'Review', scorer_refs: [] })
  const path = `/annotation_queues/${queue?.id}`
  const added = await post(access, `${path}/items`, { call_ids: batch.map(({ id }) => id), display_fields: [] })
  expect(added).toEqual({ added_count: calls, duplicates: 0 })
  return path
}

/** Claims and completes until nothing is left, or the server is gone. */
async function annotate(
  access: Access,
  path: string,
  { name, known, onDone }: { name: string; known: Known; onDone(): void },
): Promise<void> {
  for (;;) {
    const claimed = await post<{ items: Item[] }>(access, `${path}/items/claim`, { limit: 3, lease_seconds: 86_400 })
    if (claimed === undefined || claimed.items.length === 0) return
    for (const { id } of claimed.items) known.given.set(id, (known.given.get(id) ?? new Set()).add(name))
    for (const { id } of claimed.items) {
      const done = await post(access, `${path}/items/${id}/progress`, { annotation_state: 'completed' })
      if (done === undefined) return
      known.completed.set(id, name)
      onDone()
    }
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
        Promise.all([...secrets].map(([name, secret]) => annotate({ url: server.url, apiKey: secret }, path, { name, known, onDone })))

      const server = await servers.start(dataDir, apiKey)
      const path = await fillQueue({ url: server.url, apiKey })
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
        const items = await itemsOf(again, apiKey, path)
        expect(items.filter(({ annotation_state }) => annotation_state === 'completed')).toHaveLength(calls)
        for (const { id, annotator_user_id } of items) {
          // Nobody knows of a claim whose answer was cut, unless its items were given to the same annotator again.
          expect([...(known.given.get(id) ?? [annotator_user_id])]).toEqual([annotator_user_id])
        }
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
