import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptedSpans, startFaultServer, type Fault, type FaultServer } from './testing/fault-server.ts'
import { runProgram } from './testing/run-program.ts'

let answering: FaultServer
let hanging: FaultServer
let spoolDir = ''
beforeAll(async () => {
  answering = await startFaultServer()
  hanging = await startFaultServer()
  hanging.always({ kind: 'hang' })
  spoolDir = mkdtempSync(join(tmpdir(), 'heddle-process-end-'))
})
afterAll(async () => {
  await answering.close()
  await hanging.close()
  rmSync(spoolDir, { recursive: true })
})

const closedPort = 'http://127.0.0.1:1'

interface Scene {
  /** Which of the ways to wire the exporter in. */
  form: 'processor' | 'batch' | 'simple' | 'edge processor' | 'edge batch'
  /** `unavailable` responds with 503 and `Retry-After: 1`, and then takes spans. */
  server: 'away' | 'hanging' | 'unavailable'
  ending: 'shutdown' | 'flush'
  spools?: true
}

/** Each creates a provider, ends one span, and waits for nothing but the promise of its ending. */
const scenesProgram = `
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { BatchSpanProcessor, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node'
import { HeddleSpanExporter, HeddleSpanProcessor } from '@heddle/otel-exporter'
import { HeddleSpanExporter as EdgeExporter, HeddleSpanProcessor as EdgeProcessor } from '@heddle/otel-exporter/fetch'

const { urls, spoolDir } = JSON.parse(process.env.SETTINGS!)
const forms = {
  processor: (options: object) => both(new HeddleSpanProcessor(options)),
  batch: (options: object) => behind(new HeddleSpanExporter(options), BatchSpanProcessor),
  simple: (options: object) => behind(new HeddleSpanExporter(options), SimpleSpanProcessor),
  'edge processor': (options: object) => both(new EdgeProcessor(options)),
  'edge batch': (options: object) => behind(new EdgeExporter(options), BatchSpanProcessor),
}
const both = (processor: HeddleSpanProcessor) => ({ processor, source: processor })
const behind = (exporter: HeddleSpanExporter, Processor: any) => ({ processor: new Processor(exporter), source: exporter })

async function play({ form, server, ending, spools }: any) {
  const limits = server === 'unavailable' ? {} : { timeoutMs: 60, flushTimeoutMs: 100, shutdownTimeoutMs: 100 }
  const { processor, source } = forms[form as keyof typeof forms]({ baseUrl: urls[server], ...limits, ...(spools && { spoolDir }) })
  const provider = new NodeTracerProvider({ spanProcessors: [processor] })
  provider.getTracer('app').startSpan('last').end()
  const problem = await (ending === 'shutdown' ? provider.shutdown() : processor.forceFlush()).then(() => '', (error: Error) => error.message)
  const { sent, dropped, spooled, queued, inFlight } = source.stats()
  console.log(JSON.stringify({ problem, sent, dropped, spooled, kept: queued + inFlight }))
}
for (const scene of JSON.parse(isMainThread ? process.env.SCENES! : workerData)) await play(scene)
if (isMainThread) new Worker(new URL(import.meta.url), { workerData: process.env.SCENES_OF_WORKER })
`

const sent = { problem: '', sent: 1, dropped: 0, spooled: 0, kept: 0 }
const dropped = { problem: '', sent: 0, dropped: 1, spooled: 0, kept: 0 }
const spooled = { problem: '', sent: 0, dropped: 0, spooled: 1, kept: 0 }
/** A failed flush reports what is left. The SDK's flush of a batch only checks that the exporter has it. */
const keptAndTold = { problem: expect.stringContaining('1 spans pending'), sent: 0, dropped: 0, spooled: 0, kept: 1 }
const kept = { ...keptAndTold, problem: '' }

const scenes: [Scene, object][] = [
  [{ form: 'processor', server: 'away', ending: 'shutdown' }, dropped],
  [{ form: 'processor', server: 'away', ending: 'flush' }, keptAndTold],
  [{ form: 'processor', server: 'away', ending: 'shutdown', spools: true }, spooled],
  [{ form: 'processor', server: 'hanging', ending: 'shutdown' }, dropped],
  [{ form: 'processor', server: 'unavailable', ending: 'shutdown' }, sent],
  [{ form: 'batch', server: 'away', ending: 'shutdown' }, dropped],
  [{ form: 'batch', server: 'away', ending: 'flush' }, kept],
  [{ form: 'batch', server: 'away', ending: 'shutdown', spools: true }, spooled],
  [{ form: 'batch', server: 'hanging', ending: 'shutdown' }, dropped],
  [{ form: 'batch', server: 'unavailable', ending: 'shutdown' }, sent],
  [{ form: 'simple', server: 'away', ending: 'shutdown' }, dropped],
  [{ form: 'simple', server: 'away', ending: 'flush' }, keptAndTold],
  [{ form: 'simple', server: 'hanging', ending: 'shutdown' }, dropped],
  [{ form: 'edge processor', server: 'away', ending: 'shutdown' }, dropped],
  [{ form: 'edge processor', server: 'hanging', ending: 'shutdown' }, dropped],
  [{ form: 'edge batch', server: 'away', ending: 'shutdown' }, dropped],
]
const scenesOfWorker: [Scene, object][] = [
  [{ form: 'processor', server: 'away', ending: 'shutdown' }, dropped],
  [{ form: 'batch', server: 'hanging', ending: 'shutdown' }, dropped],
]

test('a program that awaits a shutdown or flush sees it settle, the span is accounted for, and the program exits', async () => {
  const both = [...scenes, ...scenesOfWorker]
  const refusals = both.filter(([{ server }]) => server === 'unavailable')
  const unavailable: Fault = { kind: 'answer', status: 503, headers: { 'retry-after': '1' } }
  answering.next(...refusals.flatMap((): Fault[] => [unavailable, { kind: 'accept' }]))
  const { end, stdout, stderr } = await runProgram({
    code: scenesProgram,
    env: {
      SETTINGS: JSON.stringify({
        urls: { away: closedPort, hanging: hanging.url, unavailable: answering.url },
        spoolDir,
      }),
      SCENES: JSON.stringify(scenes.map(([scene]) => scene)),
      SCENES_OF_WORKER: JSON.stringify(scenesOfWorker.map(([scene]) => scene)),
    },
  })
  expect({ end, stderr }).toEqual({ end: 0, stderr: '' })
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
  expect(answers.map((answer, index) => ({ scene: both[index]?.[0], ...answer }))).toEqual(
    both.map(([scene, answer]) => ({ scene, ...answer })),
  )
  expect(acceptedSpans(answering)).toHaveLength(refusals.length)
  expect(readdirSync(spoolDir)).toHaveLength(both.filter(([{ spools }]) => spools).length)
})

test('a program that awaits nothing ends at once, whatever the exporter still has to do', async () => {
  const code = `
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { HeddleSpanProcessor } from '@heddle/otel-exporter'
const tenMinutes = 600_000
for (const mode of ['batch', 'immediate'] as const) {
  for (const baseUrl of [process.env.HANGING, '${closedPort}']) {
    const processor = new HeddleSpanProcessor({ baseUrl, mode, timeoutMs: tenMinutes, scheduleDelayMs: mode === 'batch' ? tenMinutes : 0 })
    new NodeTracerProvider({ spanProcessors: [processor] }).getTracer('app').startSpan('last').end()
  }
}
await fetch(process.env.ANSWERING!, { method: 'POST' }).then((response) => response.text())
`
  const { end, stderr } = await runProgram({ code, env: { HANGING: hanging.url, ANSWERING: answering.url } })
  expect({ end, stderr }).toEqual({ end: 0, stderr: '' })
})
