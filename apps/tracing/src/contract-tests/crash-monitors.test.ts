import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { newApiKey } from '@heddle/identity'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { aCall, record } from './testing/call-builders.ts'
import { type KillableServers, type Server, startKillableServers } from './testing/killable-server.ts'

let servers: KillableServers
beforeAll(async () => {
  servers = await startKillableServers()
})
afterAll(() => servers.close())

const project_id = 'crash/monitors'
const place = { entity: 'crash', project: 'monitors' }
const count = trials({ usual: 20, long: 60 })
const waits = { timeout: 240_000, interval: 100 }
const waiting = { monitors: { settleMs: 3_600_000 } }
const scoring = { monitors: { settleMs: 0 } }

const clientOf = ({ url }: Server, apiKey: string) => createClient({ baseUrl: url, apiKey, contract: tracing, retries: 0 })
type Client = ReturnType<typeof clientOf>

async function publish(client: Client, object_id: string, className: string, val: object): Promise<string> {
  const classes = { _type: className, _class_name: className, _bases: ['Scorer', 'Object', 'BaseModel'], name: object_id }
  const { digest } = await client.objects.create({ obj: { project_id, object_id, val: { ...classes, ...val } } })
  return `weave:///${project_id}/object/${object_id}:${digest}`
}

/** A monitor, and calls that it is to score, at a server at which it is active but waits with them. The ids of the calls. */
async function recordMonitored(client: Client): Promise<string[]> {
  const scorer = await publish(client, 'exact', 'ExactMatchScorer', {})
  await publish(client, 'watch', 'Monitor', {
    sampling_rate: 1,
    scorers: [scorer],
    op_names: ['ask'],
    active: true,
    _bases: ['Object', 'BaseModel'],
  })
  await vi.waitFor(async () => expect((await client.monitors.list(place)).monitors[0]?.activated_at ?? null).not.toBeNull(), waits)
  const started_at = new Date().toISOString()
  const ended_at = new Date(Date.now() + 3_600_000).toISOString()
  const inputs = { expected: 'yes' }
  const calls = Array.from({ length: count }, () => aCall({ project_id, op_name: 'ask', inputs, output: 'yes', started_at, ended_at }))
  await record(client, ...calls)
  return calls.map(({ id }) => id).sort()
}

const scoredIds = async (client: Client) =>
  (await client.feedback.query({ project_id })).result.map(({ weave_ref }) => weave_ref?.split('/').at(-1) ?? '').sort()

test('a monitor scores each call once, and loses none, when its server is killed in the middle', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: count - 1 }), async (killAfter) => {
      const dataDir = await servers.newFolder()
      const apiKey = newApiKey()
      const first = await servers.start(dataDir, apiKey, waiting)
      const ids = await recordMonitored(clientOf(first, apiKey))
      await servers.kill(first)

      const killed = await servers.start(dataDir, apiKey, scoring)
      await vi.waitFor(async () => expect((await scoredIds(clientOf(killed, apiKey))).length).toBeGreaterThanOrEqual(killAfter), waits)
      await servers.kill(killed)

      const last = await servers.start(dataDir, apiKey, scoring)
      try {
        const client = clientOf(last, apiKey)
        const done = { scored: count, sampled: count, pending: 0, failed: 0, error: null }
        await vi.waitFor(async () => expect((await client.monitors.list(place)).monitors).toMatchObject([done]), waits)
        expect(await scoredIds(client)).toEqual(ids)
        const { calls } = await client.calls.query({ project_id })
        expect(calls).toHaveLength(count * 2)
      } finally {
        await servers.kill(last)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 1_200_000)
