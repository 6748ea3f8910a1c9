import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { freePort } from '@heddle/testing/free-port'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createServerLog } from '../log/server-log.ts'
import { type StartedServer, startServer } from '../server/start-server.ts'
import { type Flags, toConfiguration } from '../settings/configuration.ts'

const apiKey = 'heddle2222222222222222222222222222222222222222222222222222'
const secretInput = 'what nobody else may read'
const ownProject = 'test/own-telemetry'

let folder: string
beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'heddle-telemetry-'))))
afterAll(() => rmSync(folder, { recursive: true, maxRetries: 10 }))

let servers = 0
async function start(flags: Flags, log: string[] = []): Promise<StartedServer> {
  const dataDir = join(folder, `server-${servers++}`)
  const configuration = toConfiguration({ environment: {}, flags: { dataDir, apiKey, port: '0', ...flags } })
  return startServer(configuration, createServerLog('warn', { write: (line) => void log.push(line) }))
}

const clientOf = (url: string) => createClient({ baseUrl: url, apiKey, contract: tracing, retries: 4 })
const headersFor = (project: string) => `authorization=Bearer%20${apiKey},project-id=${encodeURIComponent(project)}`

/** Records a call with a text of its own. */
async function recordCall(url: string): Promise<void> {
  const [started_at, id] = [new Date().toISOString(), crypto.randomUUID()]
  const start = {
    project_id: 'test/traced',
    id,
    trace_id: id,
    op_name: 'secret-op',
    started_at,
    attributes: {},
    inputs: { text: secretInput },
  }
  await clientOf(url).calls.start({ start })
}

async function callsOf(url: string, project_id: string) {
  const calls = []
  for await (const call of clientOf(url).calls.streamQuery({ project_id })) calls.push(call)
  return calls
}

/** Accepts everything that is sent over HTTP. */
async function startReceiver() {
  const received: { path: string; parent: string; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      received.push({
        path: request.url ?? '',
        parent: String(request.headers['traceparent']),
        body: Buffer.concat(chunks).toString('latin1'),
      })
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received, close: () => void server.close() }
}

test('another Heddle shows the requests of a server with what they asked of the engine', { timeout: 120_000 }, async () => {
  const receiver = await start({})
  const telemetry = { telemetryUrl: `${receiver.server.url}/otel`, telemetryHeaders: headersFor(ownProject), telemetrySignals: 'traces' }
  const traced = await start(telemetry)
  try {
    await recordCall(traced.server.url)
    await clientOf(traced.server.url).calls.queryStats({ project_id: 'test/traced' })
    await traced.close()
    const calls = await callsOf(receiver.server.url, ownProject)
    const request = calls.find(({ op_name }) => op_name.includes('calls.querystats'))
    expect(calls.filter(({ parent_id }) => parent_id === request?.id).map(({ op_name }) => op_name)).toContainEqual(
      expect.stringContaining('engine'),
    )
    const text = JSON.stringify(calls)
    expect(text).toContain('calls.start')
    for (const secret of [secretInput, apiKey, 'secret-op']) expect(text).not.toContain(secret)
  } finally {
    await traced.close()
    await receiver.close()
  }
})

test('a receiver gets traces and metrics, and neither holds a payload or a key', { timeout: 120_000 }, async () => {
  const receiver = await startReceiver()
  const traced = await start({ telemetryUrl: receiver.url })
  try {
    await recordCall(traced.server.url)
  } finally {
    await traced.close()
    receiver.close()
  }
  expect(new Set(receiver.received.map(({ path }) => path))).toEqual(new Set(['/v1/traces', '/v1/metrics']))
  // Their trace is not sampled: a server that sends to itself records nothing of these requests.
  for (const { parent } of receiver.received) expect(parent).toMatch(/-00$/)
  const all = receiver.received.map(({ body }) => body).join('\n')
  for (const name of ['calls.start', 'heddle_http_requests_total', 'heddle_ready', 'service.name']) expect(all).toContain(name)
  for (const secret of [secretInput, apiKey, 'secret-op']) expect(all).not.toContain(secret)
})

test.each(inject('long') ? ['a server that sends its traces to itself'] : [])(
  '%s makes none of the requests that bring them',
  { timeout: 120_000 },
  async () => {
    const port = await freePort()
    const traced = await start({
      port: String(port),
      telemetryUrl: `http://127.0.0.1:${port}/otel`,
      telemetryHeaders: headersFor(ownProject),
      telemetrySignals: 'traces',
    })
    const names = async () => (await callsOf(traced.server.url, ownProject)).map(({ op_name }) => op_name)
    // Spans are sent every five seconds.
    const arrived = (operation: string) => expect.poll(names, { interval: 500 }).toContainEqual(expect.stringContaining(operation))
    try {
      await recordCall(traced.server.url)
      await arrived('calls.start')
      // By then the first ones were sent, so that a span of their request would come with these.
      await clientOf(traced.server.url).feedback.query({ project_id: 'test/traced' })
      await arrived('feedback.query')
      expect((await names()).filter((name) => name.includes('otel'))).toEqual([])
    } finally {
      await traced.close()
    }
  },
)

test('a receiver that is not there is logged once, and holds nothing up', { timeout: 120_000 }, async () => {
  const log: string[] = []
  const traced = await start({ telemetryUrl: `http://127.0.0.1:${await freePort()}`, telemetrySignals: 'metrics' }, log)
  await recordCall(traced.server.url)
  await traced.close()
  expect(log.filter((line) => line.includes('HEDDLE_TELEMETRY_URL')).length).toBeLessThanOrEqual(1)
})
