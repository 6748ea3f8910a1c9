import { randomUUID } from 'node:crypto'
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

const project_id = 'crash/data-deletions'
const patience = { timeout: 400_000, interval: 5 }
const clientOf = ({ url }: Server, apiKey: string) => createClient({ baseUrl: url, apiKey, contract: tracing, retries: 0 })
type Client = ReturnType<typeof clientOf>

const calls = trials({ usual: 500, long: 2_000 })
const others = 40
const removedAtOnce = trials({ usual: 50, long: 100 })

/** Calls that name a user, with feedback and a file; the ids of calls. */
async function recordOf(client: Client, user_id: string, count: number): Promise<string[]> {
  const bytes = Buffer.from(`file of ${user_id}`)
  const { digest } = await client.files.create({ project_id, files: [{ field: 'file', filename: 'f', content_type: undefined, bytes }] })
  const own = Array.from({ length: count }, () => aCall({ project_id, attributes: { user_id }, inputs: { file: digest } }))
  await record(client, ...own)
  const onCalls = own.slice(0, 20).map(({ id }) => aFeedback({ project_id, id: newId(), weave_ref: callRef(project_id, id) }))
  await client.feedback.createBatch({ batch: onCalls })
  return own.map(({ id }) => id).toSorted()
}

async function found(client: Client) {
  const ids = (await findCalls(client, { project_id, columns: ['id'] })).map(({ id }) => id).toSorted()
  const [{ total_count }, files] = await Promise.all([client.feedback.query({ project_id }), client.files.queryStats({ project_id })])
  return { ids, feedback: total_count, fileBytes: files.total_size_bytes }
}

test('a deletion of a user ends after its server is killed at any step: nothing of the user is left, nothing else is gone, and the receipt counts all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 9 }), async (tenths) => {
      const dataDir = await servers.newFolder()
      const apiKey = newApiKey()
      const killed = await servers.start(dataDir, apiKey, { removedAtOnce })
      const client = clientOf(killed, apiKey)
      const kept = await recordOf(client, 'other', others)
      const before = await found(client)
      await recordOf(client, 'gone', calls)
      const id = randomUUID()
      await client.dataDeletions.start({ project_id, id, selection: { kind: 'user', user_id: 'gone' } })
      const read = (by: Client) => by.dataDeletions.read({ project_id, id })
      const isThere = async () => tenths === 0 || (await read(client)).removed.calls >= (calls * tenths) / 10
      await expect.poll(isThere, patience).toBe(true)
      await servers.kill(killed)

      const last = await servers.start(dataDir, apiKey, { removedAtOnce })
      try {
        const again = clientOf(last, apiKey)
        await expect.poll(async () => (await read(again)).state, patience).toBe('ended')
        expect(await found(again)).toEqual({ ...before, ids: kept })
        expect((await read(again)).receipt?.removed).toMatchObject({ calls, feedback: 20 })
      } finally {
        await servers.kill(last)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)
