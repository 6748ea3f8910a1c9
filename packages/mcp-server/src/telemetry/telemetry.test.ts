import { spawn } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpHandler } from '../http/create-http-handler.ts'
import type { CallEntry } from '../connection/server-options.ts'
import { runProgram } from '../command/run-program.ts'
import { type BundledProgram, bundleProgram } from '../testing/bundle-program.ts'
import { aTraining, fakeTraining } from '../testing/fake-training.ts'
import { createTelemetry } from './create-telemetry.ts'
import { toSpan } from './to-span.ts'

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

/** A service that keeps what is sent to it. */
let service: Server
let baseUrl: string
const bodies: Buffer[] = []
beforeAll(async () => {
  service = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    if (request.url === '/otel/v1/traces') bodies.push(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body)
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  })
  await new Promise<void>((resolve) => void service.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => {
  service?.closeAllConnections()
  service?.close()
})
const sent = () => Buffer.concat(bodies)
const entry: CallEntry = {
  tool: 'evals_list',
  startedAtMs: Date.UTC(2026, 10, 16),
  argumentSizes: { limit: 1 },
  durationMs: 12,
  tokens: 90,
}

test('a call becomes a span of a tool, child of that of the assistant, with sizes and no values', async () => {
  bodies.length = 0
  const telemetry = createTelemetry({ baseUrl, apiKey: 'k'.repeat(50), project: 'e/p' })
  telemetry.record({ ...entry, trace: { traceparent }, error: 'not_found' })
  await telemetry.close()
  const bytes = sent()
  for (const text of ['execute_tool evals_list', 'gen_ai.tool.name', 'mcp.method.name', 'heddle.mcp.argument_size.limit', 'not_found'])
    expect(bytes.includes(text)).toBe(true)
  const [, traceId = '', parentId = ''] = traceparent.split('-')
  expect([bytes.includes(Buffer.from(traceId, 'hex')), bytes.includes(Buffer.from(parentId, 'hex'))]).toEqual([true, true])
  expect(bytes.includes('gen_ai.tool.call.arguments')).toBe(false)
})

test.each([undefined, 'none', `00-${'0'.repeat(32)}-b7ad6b7169203331-01`])('%s names no span, and the call begins a trace', (given) => {
  const span = toSpan({ ...entry, ...(given !== undefined && { trace: { traceparent: given } }) })
  expect([span.parentSpanContext, /^0+$/.test(span.spanContext().traceId)]).toEqual([undefined, false])
})

test('values of arguments are sent where the operator asked for them', async () => {
  bodies.length = 0
  const telemetry = createTelemetry({ baseUrl, apiKey: 'k'.repeat(50), project: 'e/p' })
  telemetry.record({ ...entry, arguments: { name_contains: 'nightly' } })
  await telemetry.close()
  expect(sent().includes('{"name_contains":"nightly"}')).toBe(true)
})

test('the trace of a request is that in its _meta', async () => {
  const entries: CallEntry[] = []
  const handler = createHttpHandler({
    baseUrl: 'http://services.test',
    project: 'e/p',
    fetch: fakeTraining(aTraining()),
    onCall: (one) => entries.push(one),
  })
  for (const _meta of [{ traceparent, tracestate: 'a=1' }, {}]) {
    const response = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'models_list', arguments: {}, _meta } }),
      }),
      { caller: {} },
    )
    await response.text()
  }
  expect(entries.map(({ trace }) => trace)).toEqual([{ traceparent, tracestate: 'a=1' }, undefined])
  await handler.close()
})

test('it is refused without a key and a project', async () => {
  let printed = ''
  const code = await runProgram(['--otel'], {
    environment: { HEDDLE_PROJECT: 'e/p' },
    cwd: '/',
    nodeVersion: process.version,
    out: () => undefined,
    err: (text) => void (printed += text),
    untilStopped: () => Promise.resolve(),
  })
  expect([code, printed]).toEqual([2, expect.stringContaining('set HEDDLE_API_KEY and HEDDLE_PROJECT')])
})

test('the program sends what waits before it ends, at the end of its input and when it is stopped', async () => {
  const program: BundledProgram = await bundleProgram()
  try {
    for (const stop of ['input', 'signal'] as const) {
      bodies.length = 0
      const child = spawn(process.execPath, [program.path, '--otel'], {
        env: { HEDDLE_BASE_URL: baseUrl, HEDDLE_API_KEY: 'k'.repeat(50), HEDDLE_PROJECT: 'e/p' },
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      const ended = new Promise<number | null>((resolve) => void child.once('close', resolve))
      const answered = new Promise<void>((resolve) => void child.stdout.on('data', (text: Buffer) => text.includes('"id":2') && resolve()))
      const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
      const clientInfo = { name: 't', version: '1' }
      send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } })
      send({ method: 'notifications/initialized' })
      send({ id: 2, method: 'tools/call', params: { name: 'evals_list', arguments: { limt: 1 } } })
      await answered
      if (stop === 'input') child.stdin.end()
      else child.kill('SIGTERM')
      expect(await ended).toBe(0)
      expect(sent().includes('execute_tool evals_list')).toBe(true)
    }
  } finally {
    program.remove()
  }
})
