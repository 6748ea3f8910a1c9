import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiError, tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Flags, toConfiguration } from '../settings/configuration.ts'
import { sendSpans } from '../testing/send-spans.ts'
import { createServerLog } from '../log/server-log.ts'
import { type StartedServer, startServer } from './start-server.ts'

const apiKey = 'heddle0000000000000000000000000000000000000000000000000000'
const project_id = 'test/limited'

let dataDir: string
const lines: string[] = []
beforeAll(() => void (dataDir = mkdtempSync(join(tmpdir(), 'heddle-limits-'))))
afterAll(() => rmSync(dataDir, { recursive: true }))

async function start(flags: Flags): Promise<StartedServer> {
  const configuration = toConfiguration({ environment: {}, flags: { dataDir, apiKey, port: '0', ...flags } })
  return startServer(configuration, createServerLog('error', { write: (line) => void lines.push(line) }))
}

const clientOf = ({ server }: StartedServer, retries = 0) => createClient({ baseUrl: server.url, apiKey, contract: tracing, retries })
const limitsOf = async (started: StartedServer) => clientOf(started).projects.readLimits({ project_id })

test(
  'limits of the operator hold over HTTP: exporter and client send again what was refused, and nothing is lost',
  { timeout: 240_000 },
  async () => {
    const started = await start({ requestsPerMinute: '60' })
    try {
      const client = clientOf(started)
      const statusOf = (request: Promise<unknown>) =>
        request.then(
          () => 200,
          ({ status }: ApiError) => status,
        )
      const all = Array.from({ length: 30 }, () => statusOf(client.projects.readTtlSettings({ project_id })))
      const statuses = new Set(await Promise.all(all))
      expect([...statuses].toSorted()).toEqual([200, 429])

      const [root] = await sendSpans({ url: started.server.url, apiKey }, project_id, [[{}, {}]])
      const { count } = await clientOf(started, 3).calls.queryStats({ project_id })
      expect([root, count]).toEqual([expect.any(String), 3])
      expect((await limitsOf(started)).requests_per_minute).toMatchObject({ limit: 60, own_limit: null, server_limit: 60 })
      const over = client.projects.updateLimits({ project_id, requests_per_minute: 61 })
      await expect(over).rejects.toMatchObject({ status: 400, message: expect.stringContaining('at most 60') as string })
      expect((await fetch(`${started.server.url}/health`)).headers.has('ratelimit')).toBe(false)
    } finally {
      await started.close()
    }
    expect(lines).toEqual([])
  },
)

test('the bytes of the day are there after a restart', { timeout: 240_000 }, async () => {
  const first = await start({ ingestedBytesPerDay: '100000' })
  await clientOf(first).objects.create({ obj: { project_id, object_id: 'text', val: 'x'.repeat(60_000) } })
  const { ingested_bytes_per_day: before } = await limitsOf(first)
  await first.close()
  const second = await start({ ingestedBytesPerDay: '100000' })
  try {
    const { ingested_bytes_per_day: after } = await limitsOf(second)
    expect(after).toEqual(before)
    expect(after.used).toBeGreaterThan(60_000)
    const more = clientOf(second).objects.create({ obj: { project_id, object_id: 'text', val: 'y'.repeat(60_000) } })
    await expect(more).rejects.toMatchObject({ status: 429, extra: { limit: { name: 'ingested_bytes_per_day', value: 100_000 } } })
  } finally {
    await second.close()
  }
  expect(lines).toEqual([])
})
