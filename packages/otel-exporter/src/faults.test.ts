import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { concatBytes } from './encoding/concat-bytes.ts'
import type { ExporterStats } from './ledger/export-stats.ts'
import type { Transport } from './transport/transport.ts'
import { aSpan } from './testing/a-span.ts'
import { decodedSpans } from './testing/decode-otlp.ts'
import { startFaultServer, type Fault, type FaultServer } from './testing/fault-server.ts'
import { createFastClock } from './testing/fast-clock.ts'
import { startExporter } from './testing/start-exporter.ts'

const runs = { numRuns: trials({ usual: 10, long: 1000 }), seed: 20_261_102 }
const shutdownTimeoutMs = 1000
/** How much later than its deadline a shutdown may be noticed on a busy machine. */
const slackMs = 5000

/** Where writing takes no time, so that what is on disk when a shutdown ends is not up to the disk. */
const memory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.constantFrom<Fault>(
    { kind: 'accept' },
    { kind: 'delay', ms: 5 },
    { kind: 'reset-while-reading' },
    { kind: 'reset-after-reading' },
    { kind: 'half-answer' },
    { kind: 'slow-loris' },
    { kind: 'hang' },
    { kind: 'garbage-gzip' },
    { kind: 'at-most', spans: 2 },
    { kind: 'answer', status: 413 },
    { kind: 'answer', status: 500 },
    { kind: 'answer', status: 503 },
    { kind: 'answer', status: 429, headers: { 'retry-after': '0' } },
    { kind: 'answer', status: 429, headers: { 'retry-after': '3600' } },
    { kind: 'answer', status: 429, headers: { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' } },
    { kind: 'answer', status: 200, body: Uint8Array.from([0x0a, 0x02, 0x08, 0x01]) },
    { kind: 'answer', status: 200, body: 'neither protobuf nor JSON' },
  ),
)

type Step = { kind: 'end'; spans: number } | { kind: 'stop' } | { kind: 'start' } | { kind: 'flush' } | { kind: 'turn' }
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 12 }).map((spans) => ({ kind: 'end' as const, spans })) },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ kind: 'stop' }, { kind: 'start' }, { kind: 'flush' }, { kind: 'turn' }) },
)
const scene = fc.record({
  faults: fc.array(fault, { maxLength: 12 }),
  afterwards: fc.constantFrom<Fault>({ kind: 'accept' }, { kind: 'accept' }, { kind: 'hang' }, { kind: 'answer', status: 503 }),
  steps: fc.array(step, { minLength: 1, maxLength: 10 }),
  concurrency: fc.integer({ min: 1, max: 4 }),
  maxBatchSpans: fc.integer({ min: 1, max: 10 }),
  maxQueueSpans: fc.integer({ min: 1, max: 60 }),
  mode: fc.constantFrom('batch' as const, 'immediate' as const, 'lossless' as const),
  spools: fc.boolean(),
})

const sumOf = ({ sent, rejected, dropped, spooled, queued, inFlight }: ExporterStats) =>
  sent + rejected + dropped + spooled + queued + inFlight

test('whatever happens, each span is sent, rejected, dropped or spooled, none twice after a success, and the shutdown ends', async () => {
  await fc.assert(
    fc.asyncProperty(scene, async ({ faults, afterwards, steps, spools, ...settings }) => {
      const server = await startFaultServer()
      const repeated: string[] = []
      const folder = mkdtempSync(join(memory, 'heddle-faults-'))
      try {
        server.next(...faults)
        server.always(afterwards)
        const { pipeline } = startExporter(
          { ...settings, ...(spools && { spoolDir: folder }), baseUrl: server.url, timeoutMs: 120, shutdownTimeoutMs, scheduleDelayMs: 5 },
          createFastClock(() => 0.001),
          (transport) => noteRepeats(transport, repeated),
        )
        const ended = await perform(steps, { server, pipeline })
        expect(sumOf(pipeline.stats())).toBe(ended)
        await within(pipeline.shutdown(), shutdownTimeoutMs + slackMs)
        const stats = pipeline.stats()
        expect(stats).toMatchObject({ ended, queued: 0, inFlight: 0, pendingBytes: 0, recovered: 0 })
        expect(sumOf(stats)).toBe(ended)
        expect(Object.values(stats.droppedBy).reduce((sum, count) => sum + count, 0)).toBe(stats.dropped)
        if (!spools) expect(stats.spooled).toBe(0)
        expect(spooledSpans(folder)).toBe(stats.spooled)
        expect(repeated).toEqual([])
      } finally {
        await server.close()
        rmSync(folder, { recursive: true })
      }
    }),
    runs,
  )
}, 1_800_000)

interface Actors {
  server: FaultServer
  pipeline: ReturnType<typeof startExporter>['pipeline']
}

/** Returns how many spans ended. */
async function perform(steps: readonly Step[], { server, pipeline }: Actors): Promise<number> {
  let id = 0
  let isStopped = false
  for (const step of steps) {
    if (step.kind === 'end') {
      const last = id + step.spans
      while (id < last) pipeline.add({ span: aSpan({ id: ++id }), expendable: id % 3 === 0 })
    } else if (step.kind === 'flush') await pipeline.flush(30).catch(() => undefined)
    else if (step.kind === 'turn') await new Promise((resolve) => setImmediate(resolve))
    else if (step.kind === 'stop' && !isStopped) await server.stop()
    else if (step.kind === 'start' && isStopped) await server.start()
    if (step.kind === 'stop') isStopped = true
    if (step.kind === 'start') isStopped = false
  }
  return id
}

/** Records spans that are sent again after they were acknowledged. */
function noteRepeats(transport: Transport, repeated: string[]): Transport {
  const succeeded = new Set<string>()
  return {
    ...transport,
    async send(request) {
      const ids = decodedSpans(concatBytes(request.body)).map(({ spanId }) => spanId)
      for (const id of ids) if (succeeded.has(id)) repeated.push(id)
      const answer = await transport.send(request)
      if (answer.kind === 'answer' && answer.status < 300) for (const id of ids) succeeded.add(id)
      return answer
    },
  }
}

function spooledSpans(folder: string): number {
  return readdirSync(folder).reduce((sum, name) => sum + Number(/-(\d+)\.pb$/.exec(name)?.[1] ?? Number.NaN), 0)
}

async function within(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('the shutdown did not end')), ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
