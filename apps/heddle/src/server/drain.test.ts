import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { createServerLog } from '../log/server-log.ts'
import { startServer } from './start-server.ts'

test('on SIGTERM a server reports not ready immediately, keeps serving during the drain delay, then closes its port', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'heddle-drain-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const flags = { dataDir, port: '0', drainDelaySeconds: '30' }
  const { server, close } = await startServer(
    toConfiguration({ environment: {}, flags }),
    createServerLog('error', { write: () => undefined }),
  )
  const statusOf = async (path: string) => (await fetch(server.url + path)).status
  await expect.poll(() => statusOf('/readyz')).toBe(200)
  expect(await statusOf('/health')).toBe(200)

  let endPause = () => {}
  const pauses: number[] = []
  const closing = close((ms) => {
    pauses.push(ms)
    return new Promise<void>((resolve) => (endPause = resolve))
  })
  const report = await fetch(`${server.url}/readyz`)
  expect([report.status, await report.json()]).toMatchObject([503, { status: 'not ready', parts: { server: 'shutting down' } }])
  expect([await statusOf('/livez'), await statusOf('/health')]).toEqual([200, 200])
  expect(pauses).toEqual([30_000])

  endPause()
  await closing
  await expect(statusOf('/health')).rejects.toThrow('fetch failed')
})
