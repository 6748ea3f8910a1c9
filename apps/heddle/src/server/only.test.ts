import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from './start-server.ts'

const apiKey = 'heddle0000000000000000000000000000000000000000000000000000'

test.each([
  ['tracing alone', 'tracing', { '/health': 200, '/v1/health': 404, '/session': 200, '/livez': 200, '/readyz': 200 }],
  ['training alone', 'training', { '/health': 404, '/v1/health': 200, '/session': 200, '/livez': 200, '/readyz': 200 }],
  ['both services', undefined, { '/health': 200, '/v1/health': 200, '/session': 200, '/livez': 200, '/readyz': 200 }],
] as const)('a server for %s answers its paths, and those of the server itself', { timeout: 120_000 }, async (_for, only, statuses) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-only-'))
  const flags = { dataDir, apiKey, port: '0', ...(only && { only }) }
  const { server, close } = await startServer(
    toConfiguration({ environment: {}, flags }),
    createServerLog('error', { write: () => undefined }),
  )
  const headers = { authorization: `Bearer ${apiKey}` }
  const statusOf = async (path: string) => (await fetch(server.url + path, { headers })).status
  const paths = Object.keys(statuses)
  await expect.poll(() => statusOf('/readyz')).toBe(200)
  const found = await Promise.all(paths.map(async (path) => [path, await statusOf(path)]))
  await close()
  rmSync(dataDir, { recursive: true })
  expect(Object.fromEntries(found)).toEqual(statuses)
})
