import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createVirtualClock, trials } from '@heddle/testing'
import { diag, DiagLogLevel } from '@opentelemetry/api'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { concatBytes } from './encoding/concat-bytes.ts'
import { createSystemClock } from './clock.ts'
import type { ExporterStats } from './ledger/export-stats.ts'
import type { ExportPipeline } from './sending/export-pipeline.ts'
import type { Transport } from './transport/transport.ts'
import type { ExporterOptions } from './settings/exporter-options.ts'
import { aSpan, chatAttributes } from './testing/a-span.ts'
import { decodedSpans } from './testing/decode-otlp.ts'
import { acceptedSpans, startFaultServer } from './testing/fault-server.ts'
import { startExporter } from './testing/start-exporter.ts'

const maxQueueBytes = 8 * 1024 * 1024
const spansPerSecond = 500
const attributes = chatAttributes(600)

let folder = ''
let warnings: string[] = []
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'heddle-outage-'))
  warnings = []
  const nothing = () => undefined
  const keep = (...texts: unknown[]) => void warnings.push(texts.join(' '))
  diag.setLogger({ error: keep, warn: keep, info: nothing, debug: nothing, verbose: nothing }, DiagLogLevel.WARN)
})
afterEach(() => {
  diag.disable()
  rmSync(folder, { recursive: true })
})

const sumOf = ({ sent, rejected, dropped, spooled, queued, inFlight }: ExporterStats) =>
  sent + rejected + dropped + spooled + queued + inFlight

/** A server that is there or not, and what it took. */
function createServer(): { transport: Transport; arrived: Map<string, number>; isAway: boolean } {
  const arrived = new Map<string, number>()
  const server = {
    isAway: false,
    arrived,
    transport: {
      async send({ body }): ReturnType<Transport['send']> {
        if (server.isAway) return { kind: 'failure', reason: 'connect ECONNREFUSED', staleConnection: false }
        for (const { spanId } of decodedSpans(concatBytes(body))) arrived.set(spanId, (arrived.get(spanId) ?? 0) + 1)
        return { kind: 'answer', status: 200, retryAfter: undefined, body: new Uint8Array() }
      },
      close: () => undefined,
    } satisfies Transport,
  }
  return server
}

/** A program under load in virtual time. */
function startProgram(options: ExporterOptions) {
  const server = createServer()
  const clock = createVirtualClock({ ticks: 3 })
  const { pipeline } = startExporter({ timeoutMs: 10_000, maxQueueBytes, ...options }, clock, () => server.transport)
  let ended = 0
  /** Lets a tenth of a second pass. The disk takes real time, in which virtual time stands still. */
  async function tick(): Promise<void> {
    await clock.advance(100)
    while (process.getActiveResourcesInfo().some((name) => name === 'FSReqPromise' || name === 'CloseReq'))
      await new Promise((resolve) => void setImmediate(resolve))
  }
  async function runFor(seconds: number): Promise<void> {
    for (let ticks = 0; ticks < seconds * 10; ticks++) {
      for (let span = 0; span < spansPerSecond / 10; span++)
        pipeline.add({ span: aSpan({ id: ++ended, attributes }), expendable: ended % 2 === 0 })
      expect(pipeline.stats().pendingBytes).toBeLessThanOrEqual(maxQueueBytes)
      await tick()
    }
    expect(sumOf(pipeline.stats())).toBe(ended)
  }
  return { server, clock, pipeline, tick, runFor, ended: () => ended }
}

const secondsAway = trials({ usual: 20, long: 600 })

test('a server away for long under load: without a spool memory is bounded, each loss is counted, and what was kept arrives once', async () => {
  const { server, clock, pipeline, runFor, ended } = startProgram({})
  await runFor(5)
  server.isAway = true
  await runFor(secondsAway)
  expect(pipeline.stats().pendingBytes).toBeGreaterThan(0.9 * maxQueueBytes)
  server.isAway = false
  await runFor(5)
  await clock.advance(60_000)
  const { dropped, droppedBy, sent, queued, inFlight } = pipeline.stats()
  expect({ queued, inFlight, sum: sent + dropped }).toEqual({ queued: 0, inFlight: 0, sum: ended() })
  expect(droppedBy).toEqual({ 'queue-full': dropped })
  expect(dropped).toBeGreaterThan(0)
  expect(server.arrived.size).toBe(sent)
  expect(new Set(server.arrived.values())).toEqual(new Set([1]))
  // Each of the two kinds of message once a minute.
  expect(warnings.length).toBeLessThanOrEqual(2 * (2 + secondsAway / 60))
  expect(warnings.join('\n')).toContain('the queue is full')
})

test('the same with a spool: nothing is lost, and everything arrives once', async () => {
  const { server, pipeline, tick, runFor, ended } = startProgram({ spoolDir: folder, maxSpoolBytes: 1e9 })
  await runFor(5)
  server.isAway = true
  await runFor(secondsAway)
  server.isAway = false
  await runFor(5)
  while (pipeline.stats().sent + pipeline.stats().dropped < ended()) await tick()
  expect(pipeline.stats()).toMatchObject({ ended: ended(), sent: ended(), dropped: 0, spooled: 0, queued: 0, inFlight: 0 })
  expect(server.arrived.size).toBe(ended())
  expect(new Set(server.arrived.values())).toEqual(new Set([1]))
  await pipeline.shutdown()
  expect(readdirSync(folder)).toEqual([])
})

test('what is under way when the time for a shutdown is over goes to the spool', async () => {
  const { server, clock, pipeline } = startProgram({ spoolDir: folder })
  server.transport.send = () => new Promise(() => undefined)
  pipeline.add({ span: aSpan({ id: 1, attributes }), expendable: false })
  const closing = pipeline.shutdown()
  await clock.advance(60_000)
  await closing
  expect(pipeline.stats()).toMatchObject({ dropped: 0, spooled: 1, inFlight: 0 })
  expect(readdirSync(folder)).toHaveLength(1)
})

/** Ends spans in real time, two hundred in a second where the machine is not busy. */
async function load(pipeline: ExportPipeline, { seconds, from }: { seconds: number; from: number }): Promise<number> {
  let id = from
  for (let bursts = seconds * 20; bursts > 0; bursts--) {
    for (let span = 0; span < 10; span++) pipeline.add({ span: aSpan({ id: ++id, attributes }), expendable: false })
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return id
}

test.each([
  ['without a spool, of which nothing was kept that the queue could not hold', false],
  ['with a spool, of which nothing is lost', true],
])('a server killed and started again in real time, %s', { timeout: 200_000 }, async (_, spools) => {
  const server = await startFaultServer()
  const options = { timeoutMs: 1000, maxQueueSpans: 100, ...(spools && { spoolDir: folder }) }
  const { pipeline } = startExporter({ baseUrl: server.url, scheduleDelayMs: 100, ...options }, createSystemClock())
  let ended = await load(pipeline, { seconds: 0.3, from: 0 })
  await server.stop()
  ended = await load(pipeline, { seconds: trials({ usual: 1.5, long: 60 }), from: ended })
  await server.start()
  ended = await load(pipeline, { seconds: 0.3, from: ended })
  await expect.poll(() => pipeline.stats().sent + pipeline.stats().dropped).toBeGreaterThanOrEqual(ended)
  await pipeline.shutdown()
  const stats = pipeline.stats()
  expect(stats).toMatchObject({ ended, spooled: 0, queued: 0, inFlight: 0 })
  expect(stats.sent + stats.dropped).toBe(ended)
  // What the server took without its answer arriving in time may count as dropped, and is sent again where it was kept.
  const arrived = new Set(acceptedSpans(server).map(({ spanId }) => spanId)).size
  expect([arrived >= stats.sent, arrived <= ended]).toEqual([true, true])
  expect(stats.droppedBy).toEqual(spools ? {} : { 'queue-full': expect.any(Number) })
  await server.close()
})
