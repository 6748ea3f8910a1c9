import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { newApiKey } from '@heddle/identity'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, findCalls, newId, record } from './testing/call-builders.ts'
import { type KillableServers, type Server, startKillableServers } from './testing/killable-server.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/deletions'
const patience = { timeout: 120_000, interval: 20 }
const callsDeletedAtOnce = 250
/** More than a request merges: a job deletes them. */
const count = 4_001
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
const countIn = async (client: Client) => (await client.calls.queryStats({ project_id })).count

test('a deletion of a large trace ends after its server is killed in the middle: nothing of the trace is left, and nothing else is gone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 8 }), async (killAfter) => {
      const dataDir = await servers.newFolder()
      const apiKey = newApiKey()
      const killed = await servers.start(dataDir, apiKey, { callsDeletedAtOnce })
      const client = clientOf(killed, apiKey)
      const kept = await recordTrace(client, others)
      const [root = ''] = await recordTrace(client, count)
      const answer = client.calls.delete({ project_id, call_ids: [root] }).catch(() => undefined)
      await expect.poll(() => countIn(client), patience).toBeLessThanOrEqual(others + count - killAfter * callsDeletedAtOnce)
      await servers.kill(killed)
      // One that had ended before says nothing of this.
      fc.pre((await answer) === undefined)

      const last = await servers.start(dataDir, apiKey, { callsDeletedAtOnce })
      try {
        const again = clientOf(last, apiKey)
        await expect.poll(() => countIn(again), patience).toBe(others)
        expect(await idsIn(again)).toEqual(kept.sort())
        expect(await again.calls.read({ project_id, id: root })).toEqual({ call: null })
        expect(await again.calls.delete({ project_id, call_ids: [root] })).toEqual({ num_deleted: 0 })
      } finally {
        await servers.kill(last)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)
