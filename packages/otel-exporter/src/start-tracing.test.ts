import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { acceptedSpans, startFaultServer, type FaultServer } from './testing/fault-server.ts'
import { runProgram } from './testing/run-program.ts'

let server: FaultServer
beforeEach(async () => {
  server = await startFaultServer()
})
afterEach(() => server.close())

const registered = ['@heddle/otel-exporter/register']
const environment = (more: Record<string, string> = {}) => ({ HEDDLE_BASE_URL: server.url, HEDDLE_API_KEY: 'key', ...more })
const names = () => acceptedSpans(server).map(({ name }) => name)

const program = `
import { trace } from '@opentelemetry/api'
const tracer = trace.getTracer('program')
tracer.startActiveSpan('ask', (root) => {
  tracer.startSpan('chat', { attributes: { 'gen_ai.request.model': 'm' } }).end()
  tracer.startSpan('noise').end()
  root.end()
})
`

test('a program without telemetry is traced by one flag; its spans about models arrive when it ends', async () => {
  const { end, stderr } = await runProgram({ code: program, imports: registered, env: environment({ OTEL_SERVICE_NAME: 'my-service' }) })
  expect({ end, stderr }).toEqual({ end: 0, stderr: '' })
  expect(names()).toEqual(['chat', 'ask'])
  expect(server.requests[0]?.body.includes('my-service')).toBe(true)
})

test.each<[string, Record<string, string>, string[]]>([
  ['HEDDLE_SPANS=all sends everything', { HEDDLE_SPANS: 'all' }, ['chat', 'noise', 'ask']],
  ['OTEL_SDK_DISABLED=true sends nothing', { OTEL_SDK_DISABLED: 'true' }, []],
  ['HEDDLE_DISABLED=true sends nothing', { HEDDLE_DISABLED: 'true' }, []],
  ['OTEL_TRACES_EXPORTER=none sends nothing', { OTEL_TRACES_EXPORTER: 'none' }, []],
  ['OTEL_TRACES_SAMPLER=always_off sends nothing', { OTEL_TRACES_SAMPLER: 'always_off' }, []],
])('%s', async (_, env, expected) => {
  expect((await runProgram({ code: program, imports: registered, env: environment(env) })).end).toBe(0)
  expect(names()).toEqual(expected)
})

test.each([
  [{}, 'none of 1 is about a model; HEDDLE_SPANS=all sends every span'],
  [{ HEDDLE_SPANS: 'llm' }, ''],
])('a program all of whose spans are left out is warned of it, unless it asked for that: %o', async (env, warning) => {
  const code = "import { trace } from '@opentelemetry/api'\ntrace.getTracer('program').startSpan('noise').end()"
  const { end, stderr } = await runProgram({ code, imports: registered, env: environment(env) })
  expect([end, stderr === '']).toEqual([0, warning === ''])
  expect(stderr).toContain(warning)
  expect(names()).toEqual([])
})

test('where a provider is registered already, it stays, and one warning says what to add', async () => {
  const code = `
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { register } from '@heddle/otel-exporter'
new NodeTracerProvider().register()
const { isActive, flush, shutdown } = register()
await flush()
await shutdown()
console.log(isActive)
`
  const { end, stdout, stderr } = await runProgram({ code, env: environment() })
  expect({ end, stdout }).toEqual({ end: 0, stdout: 'false\n' })
  expect(stderr).toContain('new HeddleSpanProcessor()')
})

test('a span that another processor ends when it is flushed is sent by that flush', async () => {
  const code = `
import { trace } from '@opentelemetry/api'
import { register } from '@heddle/otel-exporter'
const nothing = async () => undefined
const { flush } = register({ spans: 'all', spanProcessors: [{ onStart: nothing, onEnd: nothing, forceFlush: async () => span.end(), shutdown: nothing }] })
const span = trace.getTracer('program').startSpan('held')
await flush()
process.exit()
`
  const { end, stderr } = await runProgram({ code, env: environment() })
  expect({ end, stderr }).toEqual({ end: 0, stderr: '' })
  expect(names()).toEqual(['held'])
})

test.each(['SIGTERM', 'SIGINT'] as const)('%s sends what is left and ends the program as it would have', async (signal) => {
  const { end } = await runProgram({
    code: `${program}\nsetInterval(() => {}, 1000)\nconsole.log('ready')`,
    imports: registered,
    env: environment(),
    signal,
  })
  expect(end).toBe(signal)
  expect(names()).toEqual(['chat', 'ask'])
})

test('a program that takes signals itself is left to it', async () => {
  const code = `${program}\nconst timer = setInterval(() => {}, 1000)\nprocess.on('SIGTERM', () => { console.log('mine'); clearInterval(timer) })\nconsole.log('ready')`
  const { end, stdout } = await runProgram({ code, imports: registered, env: environment(), signal: 'SIGTERM' })
  expect({ end, stdout }).toEqual({ end: 0, stdout: 'ready\nmine\n' })
  expect(names()).toEqual(['chat', 'ask'])
})

test.each([
  ['hangs', () => server.always({ kind: 'hang' })],
  ['is away', () => server.stop()],
])('a server that %s keeps the program for the time of a shutdown, and what was dropped is logged', async (_, misbehave) => {
  await misbehave()
  const { end, stderr } = await runProgram({ code: program, imports: registered, env: environment() })
  expect(end).toBe(0)
  expect(stderr).toContain('2 shutdown')
})

test('a program that exits at once leaves its spans in the spool', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-exit-'))
  const { end } = await runProgram({
    code: `${program}\nprocess.exit(3)`,
    imports: registered,
    env: environment({ HEDDLE_SPOOL_DIR: folder }),
  })
  expect(end).toBe(3)
  expect(readdirSync(folder)).toEqual([expect.stringMatching(/-2\.pb$/)])
  rmSync(folder, { recursive: true })
})

test('a program that exits at once without a spool logs how many spans it lost', async () => {
  const { end, stderr } = await runProgram({ code: `${program}\nprocess.exit(3)`, imports: registered, env: environment() })
  expect(end).toBe(3)
  expect(stderr).toContain('the process exited before 2 spans were sent')
})

test('HTTP instrumentation sees the requests of the program and not those of the exporter', async () => {
  const code = `
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http'
const seen: string[] = []
const instrumentation = new HttpInstrumentation({ ignoreOutgoingRequestHook: ({ path }) => (seen.push(path ?? ''), false) })
const http = createRequire(import.meta.url)('http')
syncBuiltinESMExports()
const { register } = await import('@heddle/otel-exporter')
const tracing = register({ spans: 'all', instrumentations: [instrumentation] })
const get = () => new Promise((resolve) => http.get(process.env.HEDDLE_BASE_URL + '/mine', (response) => response.resume().on('end', resolve)))
for (let round = 0; round < 3; round++) {
  await get()
  await tracing.flush()
}
await tracing.shutdown()
console.log(seen.join(' '))
`
  const { end, stdout, stderr } = await runProgram({ code, env: environment() })
  const exported = '/mine /otel/v1/traces'
  expect({ end, stdout, stderr }).toEqual({ end: 0, stdout: `${exported} ${exported} ${exported}\n`, stderr: '' })
  expect(names()).toEqual(['GET', 'GET', 'GET'])
})
