import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { newApiKey } from '@heddle/identity'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, findCalls, newId, record } from './testing/call-builders.ts'
import { aFeedback, callRef } from './testing/feedback-builders.ts'
import { type KillableServers, type Server, startKillableServers } from './testing/killable-server.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/deletions'
const patience = { timeout: 400_000, interval: 20 }
const others = 40

const clientOf = ({ url }: Server, apiKey: string) => createClient({ baseUrl: url, apiKey, contract: tracing, retries: 0 })
type Client = ReturnType<typeof clientOf>

/** A trace of a root with all other calls below it. Its ids, the root first. */
async function recordTrace(client: Client, size: number): Promise<string[]> {
  const trace_id = newId()
  const root = newId()
  const below = Array.from({ length: size - 1 }, () => aCall({ project_id, trace_id, parent_id: root }))
  await record(client, aCall({ project_id, trace_id, id: root }), ...below)
  return [root, ...below.map(({ id }) => id)]
}

const idsIn = async (client: Client) => (await findCalls(client, { project_id, columns: ['id'] })).map(({ id }) => id).sort()

/** Many records that one request deletes, beside others that stay. */
interface Story {
  /** How many records go. */
  total: number
  remove(client: Client): Promise<unknown>
  /** Ids that are still found, in a fixed order. */
  found(client: Client): Promise<string[]>
  kept: string[]
  /** Deletes them again, and finds none. */
  removeAgain(client: Client): Promise<void>
}

interface StoryOf {
  /** Records that a job removes at a time. */
  removedAtOnce: number
  /** Records the data on a server. */
  tell(client: Client): Promise<Story>
}

const ofTrace: StoryOf = {
  removedAtOnce: 250,
  async tell(client) {
    const kept = await recordTrace(client, others)
    const [root = ''] = await recordTrace(client, 4_001)
    return {
      total: 4_001,
      remove: (by) => by.calls.delete({ project_id, call_ids: [root] }),
      found: idsIn,
      kept: kept.sort(),
      async removeAgain(by) {
        expect(await by.calls.read({ project_id, id: root })).toEqual({ call: null })
        expect(await by.calls.delete({ project_id, call_ids: [root] })).toEqual({ num_deleted: 0 })
      },
    }
  },
}

const ofFeedback: StoryOf = {
  removedAtOnce: 250,
  async tell(client) {
    const call = aCall({ project_id })
    await record(client, call)
    const weave_ref = callRef(project_id, call.id)
    const [gone, kept] = [4_001, others].map((length) => Array.from({ length }, newId)) as [string[], string[]]
    await client.feedback.createBatch({ batch: [...kept, ...gone].map((id) => aFeedback({ project_id, id, weave_ref })) })
    // Up to 10,000 ids are purged by their request.
    const ids = [...gone, ...Array.from({ length: 10_001 - gone.length }, newId)]
    const query = { $expr: { $in: [{ $getField: 'id' }, ids.map((id) => ({ $literal: id }))] } }
    return {
      total: gone.length,
      remove: (by) => by.feedback.purge({ project_id, query }),
      found: async (by) => (await by.feedback.query({ project_id })).result.map(({ id }) => String(id)).sort(),
      kept: kept.sort(),
      async removeAgain(by) {
        await by.feedback.purge({ project_id, query })
        expect((await by.feedback.query({ project_id })).total_count).toBe(others)
      },
    }
  },
}

const ofObject: StoryOf = {
  removedAtOnce: 2,
  async tell(client) {
    const publish = (object_id: string, val: number) => client.objects.create({ obj: { project_id, object_id, val } })
    const total = 1_001
    await publish('other', 0)
    for (let at = 0; at < total; at += 11) await Promise.all(Array.from({ length: 11 }, (_, n) => publish('thing', at + n)))
    const remove = (by: Client) => by.objects.delete({ project_id, object_id: 'thing' })
    return {
      total,
      remove,
      found: async (by) => (await by.objects.query({ project_id })).objs.map(({ object_id }) => object_id),
      kept: ['other'],
      removeAgain: (by) => expect(remove(by)).rejects.toMatchObject({ status: 404 }),
    }
  },
}

test.each<[string, StoryOf]>([
  ['a large trace', ofTrace],
  ['feedback under many ids', ofFeedback],
  ['an object with many versions', ofObject],
])(
  'a deletion of %s ends after its server is killed in the middle: nothing of it is left, and nothing else is gone',
  async (_, { tell, removedAtOnce }) => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 8 }), async (sixteenths) => {
        const dataDir = await servers.newFolder()
        const apiKey = newApiKey()
        const killed = await servers.start(dataDir, apiKey, { removedAtOnce })
        const client = clientOf(killed, apiKey)
        const { total, remove, found, kept, removeAgain } = await tell(client)
        const deletionOf = async (reader: Client) => (await reader.projects.queryDeletions({ project_id })).deletions[0]
        await remove(client)
        const isMiddle = async () => ((await deletionOf(client))?.removed ?? 0) >= (total * sixteenths) / 16
        await expect.poll(isMiddle, patience).toBe(true)
        const atKill = await deletionOf(client)
        expect(await found(client)).toEqual(kept)
        await servers.kill(killed)
        expect(atKill?.total).toBe(total)
        // One that had ended before says nothing of this.
        fc.pre(atKill?.ended_at === null)

        const last = await servers.start(dataDir, apiKey, { removedAtOnce })
        try {
          const again = clientOf(last, apiKey)
          expect(await found(again)).toEqual(kept)
          await expect.poll(async () => (await deletionOf(again))?.ended_at, patience).not.toBeNull()
          expect(await found(again)).toEqual(kept)
          await removeAgain(again)
        } finally {
          await servers.kill(last)
        }
      }),
      { numRuns: trials({ usual: 1, long: 20 }) },
    )
  },
  1_200_000,
)
