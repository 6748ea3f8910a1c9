import { setTimeout as delay } from 'node:timers/promises'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { newApiKey } from '@heddle/identity'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Receiver, startReceiver } from '../views/webhooks/testing/start-receiver.ts'
import { anEnd, aStart } from './testing/call-builders.ts'
import { type KillableServers, type Server, startKillableServers } from './testing/killable-server.ts'

let servers: KillableServers
let receiver: Receiver
beforeAll(async () => {
  servers = await startKillableServers()
  receiver = await startReceiver()
})
afterAll(async () => {
  receiver.close()
  await servers.close()
})

const project_id = 'crash/webhooks'
const op_name = 'Evaluation.evaluate'
const options = { webhooks: { checkAfterMs: 1_500 } }
/** Messages that wait must fit. */
const mostOfEach = 100

const clientOf = ({ url }: Server, apiKey: string) => createClient({ baseUrl: url, apiKey, contract: tracing, retries: 0 })
type Client = ReturnType<typeof clientOf>

async function endRun(client: Client): Promise<void> {
  const { id } = await client.calls.start({ start: aStart({ project_id, op_name }) })
  await client.calls.end({ end: anEnd({ project_id, id }) })
}

/** Ends runs and makes audited changes, under which no run expires, until the server is gone. */
async function workUntilKilled(client: Client): Promise<void> {
  const repeat = async (request: (at: number) => Promise<unknown>) => {
    for (let at = 0; at < mostOfEach; at++) await request(at)
  }
  const ends = repeat(() => endRun(client))
  const changes = repeat((at) => client.projects.updateTtlSettings({ project_id, retention_days: 2_000 + at }))
  await Promise.allSettled([ends, changes])
}

const endedRuns = async (client: Client) =>
  (await client.calls.query({ project_id, limit: 1_000 })).calls.flatMap(({ id, ended_at }) => (ended_at === null ? [] : [id]))

async function auditEntries(client: Client): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = null, has_more = true; has_more;) {
    const page: Awaited<ReturnType<Client['auditLog']['query']>> = await client.auditLog.query({ project_id, after, limit: 100 })
    ids.push(...page.entries.map(({ id }) => id))
    ;[after, has_more] = [ids.at(-1) ?? null, page.has_more]
  }
  return ids
}

/** Ids of the messages about each run and each entry, by its id. */
function messagesBySubject(): Map<string, Set<string>> {
  const bySubject = new Map<string, Set<string>>()
  for (const { headers, body } of receiver.received) {
    const { data } = JSON.parse(body) as { data: { id?: string; evaluation_run_id?: string } }
    const subject = data.evaluation_run_id ?? data.id ?? ''
    bySubject.set(subject, (bySubject.get(subject) ?? new Set()).add(String(headers['webhook-id'])))
  }
  return bySubject
}

test('webhooks are told once of each run that ended and each entry of the audit log, wherever their server is killed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 500 }), async (killAfterMs) => {
      receiver.received.length = 0
      const dataDir = await servers.newFolder()
      const apiKey = newApiKey()
      const killed = await servers.start(dataDir, apiKey, options)
      const client = clientOf(killed, apiKey)
      await client.objects.create({ obj: { project_id, object_id: 'thing', val: 1 } })
      await client.webhooks.create({ project_id, name: 'hook', url: receiver.url, events: ['evaluation.finished', 'audit.entry'] })
      const worked = workUntilKilled(client)
      await delay(killAfterMs)
      await servers.kill(killed)
      await worked

      const last = await servers.start(dataDir, apiKey, options)
      try {
        const after = clientOf(last, apiKey)
        const subjects = [...(await endedRuns(after)), ...(await auditEntries(after))].toSorted()
        const told = () => [...messagesBySubject().keys()].toSorted()
        await vi.waitFor(() => expect(told()).toEqual(subjects), { timeout: 60_000, interval: 100 })
        await delay(2_000)
        expect(told()).toEqual(subjects)
        expect([...messagesBySubject().values()].every(({ size }) => size === 1)).toBe(true)
      } finally {
        await servers.kill(last)
      }
    }),
    { numRuns: trials({ usual: 1, long: 20 }) },
  )
}, 600_000)
