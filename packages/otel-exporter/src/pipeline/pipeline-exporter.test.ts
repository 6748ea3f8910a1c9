import { mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diag, DiagLogLevel } from '@opentelemetry/api'
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import type { Clock } from '../clock.ts'
import { aSpan, chatAttributes } from '../testing/a-span.ts'
import { acceptedSpans, startFaultServer, type Fault, type FaultServer } from '../testing/fault-server.ts'
import { createFastClock } from '../testing/fast-clock.ts'
import { startExporter } from '../testing/start-exporter.ts'

let server: FaultServer
beforeEach(async () => {
  server = await startFaultServer()
})
afterEach(() => server.close())

const someSpans = (count: number, fields: Partial<ReadableSpan> = {}) =>
  Array.from({ length: count }, (_, index) => aSpan({ id: index + 1, ...fields }))

function exportAll(exporter: ReturnType<typeof startExporter>['exporter'], spans: ReadableSpan[]): Promise<string | undefined> {
  return new Promise((resolve) => exporter.export(spans, ({ error }) => resolve(error?.message)))
}

test('spans go as one request to the path of traces, with the key, the project and the name of the package', async () => {
  const { exporter } = startExporter({ baseUrl: server.url, project: 'team/größe' })
  expect(await exportAll(exporter, someSpans(3))).toBeUndefined()
  await exporter.shutdown()
  expect(server.requests).toHaveLength(1)
  expect(server.requests[0]).toMatchObject({
    url: '/otel/v1/traces',
    headers: {
      authorization: `Basic ${btoa('api:key-canary-4321')}`,
      'project-id': 'team/gr%C3%B6%C3%9Fe',
      'content-type': 'application/x-protobuf',
      'user-agent': expect.stringMatching(/^@heddle\/otel-exporter\/\S+ OTel-OTLP-Exporter-JavaScript\/\S+$/),
    },
  })
  expect(exporter.stats()).toMatchObject({ ended: 3, sent: 3, dropped: 0, queued: 0, inFlight: 0, pendingBytes: 0 })
})

test.each([
  ['above 1 KB', 5000, 'gzip'],
  ['below 1 KB', 100, undefined],
])('a body %s travels with encoding %s', async (_, characters, encoding) => {
  const { exporter } = startExporter({ baseUrl: server.url, compression: 'gzip' })
  await exportAll(exporter, someSpans(1, { attributes: chatAttributes(characters) }))
  await exporter.shutdown()
  expect(server.requests[0]?.headers['content-encoding']).toBe(encoding)
  expect(acceptedSpans(server)).toHaveLength(1)
})

test.each<[string, Fault]>([
  ['429 with seconds', { kind: 'answer', status: 429, headers: { 'retry-after': '0' } }],
  ['429 with a date', { kind: 'answer', status: 429, headers: { 'retry-after': new Date(0).toUTCString() } }],
  ['502', { kind: 'answer', status: 502 }],
  ['503', { kind: 'answer', status: 503 }],
  ['504', { kind: 'answer', status: 504 }],
  ['a reset while the body is read', { kind: 'reset-while-reading' }],
  ['a reset before the response', { kind: 'reset-after-reading' }],
])('after %s the request is sent again', async (_, fault) => {
  server.next(fault)
  const { exporter } = startExporter({ baseUrl: server.url })
  expect(await exportAll(exporter, someSpans(2))).toBeUndefined()
  await exporter.shutdown()
  expect(exporter.stats()).toMatchObject({ sent: 2, retries: 1, dropped: 0 })
})

test.each([400, 404, 500, 501, 302])('after %s the spans are dropped, and counted', async (status) => {
  server.next({ kind: 'answer', status })
  const { exporter } = startExporter({ baseUrl: server.url })
  expect(await exportAll(exporter, someSpans(2))).toContain(String(status))
  await exporter.shutdown()
  expect(exporter.stats()).toMatchObject({ sent: 0, retries: 0, dropped: 2, droppedBy: { refused: 2 } })
})

test.each<[string, Fault]>([
  ['that is truncated', { kind: 'half-answer' }],
  ['that never ends', { kind: 'slow-loris' }],
  ['in an encoding that it is not', { kind: 'garbage-gzip' }],
  ['that cannot be parsed', { kind: 'answer', status: 200, body: '\u0000\u0001nonsense' }],
])('a response %s is a success all the same', async (_, fault) => {
  server.next(fault)
  const { exporter } = startExporter({ baseUrl: server.url })
  expect(await exportAll(exporter, someSpans(2))).toBeUndefined()
  await exporter.shutdown()
  expect(exporter.stats()).toMatchObject({ sent: 2, requests: 1 })
})

test('a request that is too large is halved until it fits', async () => {
  server.always({ kind: 'at-most', spans: 3 })
  const { exporter } = startExporter({ baseUrl: server.url })
  expect(await exportAll(exporter, someSpans(10))).toBeUndefined()
  await exporter.shutdown()
  expect(acceptedSpans(server).map(({ spanId }) => Number.parseInt(spanId, 16))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('a single span that is too large is shortened, and says by how much', async () => {
  server.always({ kind: 'at-most-bytes', bytes: 50_000 })
  const { exporter } = startExporter({ baseUrl: server.url })
  const attributes = { 'gen_ai.request.model': 'm', 'gen_ai.prompt': 'x'.repeat(100_000) }
  expect(await exportAll(exporter, someSpans(1, { attributes }))).toBeUndefined()
  await exporter.shutdown()
  const [span] = acceptedSpans(server)
  expect(span?.attributes?.map(({ key, value }) => [key, value.stringValue?.length ?? value.intValue])).toEqual([
    ['gen_ai.request.model', 1],
    ['gen_ai.prompt', 16_384],
    ['heddle.dropped_characters', '83616'],
  ])
})

test('a span that is too large however short is given up by its name', async () => {
  server.always({ kind: 'answer', status: 413 })
  const { exporter } = startExporter({ baseUrl: server.url })
  expect(await exportAll(exporter, someSpans(1, { name: 'huge', attributes: { a: 'x'.repeat(100_000) } }))).toContain('the span "huge"')
  await exporter.shutdown()
  expect(exporter.stats()).toMatchObject({ dropped: 1, droppedBy: { 'too-large': 1 } })
})

test('rejected spans are counted and not sent again', async () => {
  server.next({ kind: 'answer', status: 200, body: Uint8Array.from([0x0a, 0x02, 0x08, 0x02]) })
  const { exporter } = startExporter({ baseUrl: server.url })
  await exportAll(exporter, someSpans(5))
  await exporter.shutdown()
  expect(exporter.stats()).toMatchObject({ sent: 3, rejected: 2, requests: 1 })
})

test('a rejected key is logged once with its last characters; spans are then dropped unsent', async () => {
  server.always({ kind: 'answer', status: 401 })
  const { exporter } = startExporter({ baseUrl: server.url })
  const problem = await exportAll(exporter, someSpans(2))
  expect(problem).toContain('the option apiKey ending in "4321"')
  expect(problem).not.toContain('canary')
  await exportAll(exporter, someSpans(3))
  await exporter.shutdown()
  expect(server.requests).toHaveLength(1)
  expect(exporter.stats()).toMatchObject({ dropped: 5, droppedBy: { unauthorized: 5 } })
})

test('at the limit of concurrent requests spans wait', async () => {
  server.always({ kind: 'delay', ms: 5 })
  const { exporter } = startExporter({ baseUrl: server.url, concurrency: 2, maxBatchSpans: 10, maxQueueSpans: 1000 })
  const exports = Array.from({ length: 40 }, () => exportAll(exporter, someSpans(10)))
  expect(await Promise.all(exports)).toEqual(new Array(40).fill(undefined))
  await exporter.shutdown()
  expect(exporter.stats()).toMatchObject({ ended: 400, sent: 400, dropped: 0 })
})

test('batches are cut by bytes as well as by count', async () => {
  const { exporter } = startExporter({ baseUrl: server.url, maxBatchBytes: 100_000 })
  await exportAll(exporter, someSpans(20, { attributes: { a: 'x'.repeat(30_000) } }))
  await exporter.shutdown()
  expect(acceptedSpans(server)).toHaveLength(20)
  expect(Math.max(...server.requests.map(({ body }) => body.length))).toBeLessThan(101_000)
})

test('a full queue drops the newest expendable spans, then the newest', async () => {
  const { pipeline } = startExporter({ baseUrl: server.url, maxQueueSpans: 3, scheduleDelayMs: 60_000 })
  const add = (id: number, expendable: boolean) => pipeline.add({ span: aSpan({ id }), expendable })
  add(1, false)
  add(2, true)
  add(3, true)
  add(4, false)
  add(5, false)
  add(6, false)
  await pipeline.shutdown()
  expect(acceptedSpans(server).map(({ spanId }) => Number.parseInt(spanId, 16))).toEqual([1, 4, 5])
  expect(pipeline.stats()).toMatchObject({ ended: 6, sent: 3, droppedBy: { 'queue-full': 3 } })
})

test('a queue is bounded by bytes, those in flight included', async () => {
  server.always({ kind: 'hang' })
  const { pipeline } = startExporter({ baseUrl: server.url, maxQueueBytes: 100_000, maxBatchBytes: 20_000, shutdownTimeoutMs: 100 })
  for (let id = 1; id <= 100; id++) pipeline.add({ span: aSpan({ id, attributes: { a: 'x'.repeat(9000) } }), expendable: false })
  expect(pipeline.stats().pendingBytes).toBeLessThanOrEqual(100_000)
  await pipeline.shutdown()
  expect(pipeline.stats()).toMatchObject({ ended: 100, dropped: 100, pendingBytes: 0, queued: 0, inFlight: 0 })
})

test('spans of an unavailable server are not a failure: they are kept, and arrive once', async () => {
  await server.stop()
  const { exporter, pipeline } = startExporter({ baseUrl: server.url, timeoutMs: 5_000 })
  expect(await exportAll(exporter, someSpans(4))).toBeUndefined()
  expect(exporter.stats()).toMatchObject({ sent: 0, dropped: 0 })
  await server.start()
  await pipeline.flush()
  await exporter.shutdown()
  expect(acceptedSpans(server)).toHaveLength(4)
  expect(exporter.stats()).toMatchObject({ ended: 4, sent: 4 })
})

test('a flush says what is left when its time is over, and a shutdown keeps its own', async () => {
  server.always({ kind: 'hang' })
  const { pipeline } = startExporter({ baseUrl: server.url, timeoutMs: 60_000, shutdownTimeoutMs: 50 })
  pipeline.add({ span: aSpan(), expendable: false })
  await expect(pipeline.flush(20)).rejects.toThrow('flush: timed out after 20 ms; 1 spans pending, 0 sent')
  await pipeline.shutdown()
  await pipeline.shutdown()
  expect(pipeline.stats()).toMatchObject({ ended: 1, dropped: 1, droppedBy: { shutdown: 1 } })
  pipeline.add({ span: aSpan(), expendable: false })
  expect(pipeline.stats()).toMatchObject({ ended: 2, dropped: 2 })
})

test('a shutdown that drops the spans of a server that is away names its address and the reason', async () => {
  const warnings: string[] = []
  const ignore = () => undefined
  const keep = (...texts: unknown[]) => void warnings.push(texts.join(' '))
  diag.setLogger({ error: keep, warn: keep, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN)
  onTestFinished(() => diag.disable())
  await server.stop()
  let refuse = () => {}
  const refused = new Promise<void>((resolve) => (refuse = resolve))
  const { exporter, pipeline } = startExporter(
    { baseUrl: server.url, timeoutMs: 60_000, shutdownTimeoutMs: 200 },
    createFastClock(),
    (transport) => ({ ...transport, send: (request) => transport.send(request).finally(refuse) }),
  )
  pipeline.add({ span: aSpan(), expendable: false })
  // Without an attempt there is no reason.
  pipeline.flush().catch(() => undefined)
  await refused
  await exporter.shutdown()
  expect(warnings.join('\n')).toMatch(
    new RegExp(`spans were dropped: 1 shutdown; cannot reach the server at ${server.url}/otel/v1/traces \\(.*ECONNREFUSED`),
  )
})

test('a long Retry-After ends the export at once and is obeyed up to the time of one export', async () => {
  server.next({ kind: 'answer', status: 429, headers: { 'retry-after': '3600' } })
  const times: number[] = []
  const clock = createFastClock()
  let ahead = 0
  const now = () => clock.now() + ahead
  const after: Clock['after'] = (ms, callback, options) => {
    if (options?.keepsProcessAlive) return clock.after(ms, callback, options)
    times.push(ms)
    return clock.after(Math.min(ms, 5), () => {
      ahead += ms
      callback()
    })
  }
  const { exporter } = startExporter({ baseUrl: server.url, timeoutMs: 60_000 }, { ...clock, now, after })
  expect(await exportAll(exporter, someSpans(1))).toBeUndefined()
  expect(server.requests).toHaveLength(1)
  await exporter.forceFlush()
  expect(times.some((ms) => ms > 30_000 && ms <= 60_000)).toBe(true)
  expect(exporter.stats()).toMatchObject({ sent: 1, requests: 2 })
  await exporter.shutdown()
})

test('an export calls back within its timeout, before the flush that it is part of; spans in flight count as kept', async () => {
  server.always({ kind: 'hang' })
  for (const limits of [{ timeoutMs: 20 }, { timeoutMs: 600_000, flushTimeoutMs: 20 }]) {
    const { exporter } = startExporter({ baseUrl: server.url, shutdownTimeoutMs: 20, ...limits })
    expect(await exportAll(exporter, someSpans(2))).toBeUndefined()
    expect(exporter.stats()).toMatchObject({ sent: 0, dropped: 0 })
    await exporter.shutdown()
    expect(exporter.stats()).toMatchObject({ dropped: 2, droppedBy: { shutdown: 2 } })
  }
})

test('an export of which some spans are kept and others were dropped is a failure of the dropped ones', async () => {
  const { exporter } = startExporter({ baseUrl: server.url, timeoutMs: 60_000, maxBatchSpans: 2 })
  server.next({ kind: 'answer', status: 400 })
  server.always({ kind: 'answer', status: 503, headers: { 'retry-after': '3600' } })
  expect(await exportAll(exporter, someSpans(6))).toMatch(/^2 of 6 spans: .*400/)
  expect(exporter.stats()).toMatchObject({ dropped: 2, queued: 4 })
  server.always({ kind: 'accept' })
  await exporter.shutdown()
})

test('an export without spans calls back, and so does one after the shutdown', async () => {
  const { exporter } = startExporter({ baseUrl: server.url })
  expect(await exportAll(exporter, [])).toBeUndefined()
  await exporter.shutdown()
  expect(await exportAll(exporter, someSpans(1))).toContain('shutdown')
})

test('an unreadable span and a throwing callback do not affect others', async () => {
  const { exporter } = startExporter({ baseUrl: server.url })
  const unreadable = new Proxy(aSpan(), {
    get() {
      throw new Error('unreadable')
    },
  })
  expect(await exportAll(exporter, [unreadable, ...someSpans(2)])).toContain('1 of 3 spans: unencodable')
  exporter.export(someSpans(1), () => {
    throw new Error('from the callback')
  })
  expect(await exportAll(exporter, someSpans(1))).toBeUndefined()
  await exporter.shutdown()
  expect(exporter.stats()).toMatchObject({ sent: 4, dropped: 1, droppedBy: { unencodable: 1 }, inFlight: 0 })
})

test('a header that cannot be sent drops the spans, and those in the spool stay there', async () => {
  const spoolDir = mkdtempSync(join(tmpdir(), 'heddle-header-'))
  const { pipeline } = startExporter({ baseUrl: 'http://127.0.0.1:1', spoolDir, timeoutMs: 20, shutdownTimeoutMs: 200 })
  pipeline.add({ span: aSpan(), expendable: false })
  await pipeline.shutdown()
  const [frame = ''] = readdirSync(spoolDir)
  const noProcess = 2 ** 30
  renameSync(join(spoolDir, frame), join(spoolDir, frame.replace(`_${process.pid}_`, `_${noProcess}_`)))
  const headers = { 'x-team': 'two\nlines' }
  const { exporter } = startExporter({ baseUrl: server.url, spoolDir, headers })
  expect(await exportAll(exporter, someSpans(1))).toContain('x-team')
  await exporter.shutdown()
  expect(exporter.stats()).toMatchObject({ recovered: 1, spooled: 1, dropped: 1, sent: 0 })
  expect(readdirSync(spoolDir)).toHaveLength(1)
  rmSync(spoolDir, { recursive: true })
})

test('the program can wait until few spans are left', async () => {
  server.always({ kind: 'delay', ms: 2 })
  const { pipeline } = startExporter({ baseUrl: server.url, concurrency: 1, maxBatchSpans: 5 })
  for (let id = 1; id <= 50; id++) pipeline.add({ span: aSpan({ id }), expendable: false })
  await pipeline.whenBelow(10)
  expect(pipeline.stats().queued + pipeline.stats().inFlight).toBeLessThan(10)
  await pipeline.shutdown()
})
