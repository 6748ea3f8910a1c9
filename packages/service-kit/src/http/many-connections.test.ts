import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { trials } from '@heddle/testing'
import { expect, onTestFinished, test } from 'vitest'
import { serve } from './serve.ts'
import type { HoldMessage } from '../testing/hold-connections.ts'
import { sampleService } from '../testing/sample-service.ts'

// 10,000 take 20,000 open files, here and in the process of the clients together: `ulimit -n` has to allow 10,100 for each.
const connections = trials({ usual: 400, long: 10_000 })
const holdMs = trials({ usual: 5_000, long: 60_000 })
const mostBytesOfOne = 64 * 1024

test(
  `${connections} connections that send nothing more stay open within the limits while others are served, and then end as documented`,
  async () => {
    const limits = { headersMs: holdMs, requestMs: holdMs, keepAliveMs: holdMs, checkMs: 100 }
    const server = await serve({ fetch: sampleService().fetch, host: '127.0.0.1', port: 0, limits })
    onTestFinished(() => server.close())
    const health = () => fetch(`${server.url}/health`, { headers: { connection: 'close' } })
    await health()
    const before = process.memoryUsage().rss

    const entry = fileURLToPath(new URL('../testing/hold-connections.ts', import.meta.url))
    const clients = fork(entry, [String(server.port), String(connections)], { execArgv: ['--import', 'tsx'] })
    onTestFinished(() => void clients.kill('SIGKILL'))
    const told = async () => ((await once(clients, 'message')) as [HoldMessage])[0]
    expect(await told()).toEqual({ type: 'open' })
    const closed = told()

    for (let request = 0; request < 20; request++) expect((await health()).status).toBe(200)
    expect(process.memoryUsage().rss - before).toBeLessThan(64 * 2 ** 20 + connections * mostBytesOfOne)

    const each = connections / 4
    expect(await closed).toEqual({
      type: 'closed',
      ends: { nothing: { 408: each }, halfHeaders: { 408: each }, halfBody: { 408: each }, wholeRequest: { 200: each } },
    })
    expect(server.refusedConnections).toBe(0)
  },
  holdMs * 4 + 60_000,
)
