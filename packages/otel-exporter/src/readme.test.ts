import { diag, DiagLogLevel } from '@opentelemetry/api'
import { otlpTracesPath } from '@heddle/core-api/attributes'
import { readFileSync } from 'node:fs'
import { codeIn } from '@heddle/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptedSpans, startFaultServer, type FaultServer } from './testing/fault-server.ts'
import { runProgram } from './testing/run-program.ts'
import { startExporter } from './testing/start-exporter.ts'
import type { ExporterOptions } from './settings/exporter-options.ts'
import { toExporterSettings } from './settings/exporter-settings.ts'
import { aSpan } from './testing/a-span.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = (language: string) => codeIn(readme, language)

let server: FaultServer
beforeAll(async () => {
  server = await startFaultServer()
})
afterAll(() => server.close())

test.each(blocks('ts').map((code, index) => [index + 1, code] as const))(
  'program %i sends its spans to the server that the variables name',
  async (_, code) => {
    const before = acceptedSpans(server).length
    const env = { HEDDLE_BASE_URL: server.url, HEDDLE_API_KEY: 'your-key', HEDDLE_PROJECT: 'my-team/my-app' }
    const { end, stderr } = await runProgram({ code, env })
    expect({ end, stderr }).toEqual({ end: 0, stderr: '' })
    const sent = acceptedSpans(server).slice(before)
    expect(sent.length).toBeGreaterThan(0)
    expect(server.requests.at(-1)).toMatchObject({
      url: otlpTracesPath,
      headers: { authorization: `Basic ${btoa('api:your-key')}`, 'project-id': 'my-team/my-app' },
    })
  },
)

test('the variables for the exporter of OpenTelemetry are those it reads, with the path of the server', async () => {
  const variables = Object.fromEntries(
    blocks('sh')
      .flatMap((code) => [...code.matchAll(/(OTEL_\w+)="?([^"\n]+)"?/g)])
      .map(([, name = '', value = '']) => [name, value.replace(/\$\(.*\)/, btoa('api:your-key'))]),
  )
  expect(variables['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']).toContain(otlpTracesPath)
  const code = `
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
provider.getTracer('app').startSpan('stock').end()
await provider.shutdown()
`
  const env = { ...variables, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: server.url + otlpTracesPath }
  expect(await runProgram({ code, env })).toMatchObject({ end: 0, stderr: '' })
  expect(server.requests.at(-1)).toMatchObject({
    headers: { authorization: `Basic ${btoa('api:your-key')}`, 'project-id': 'my-team/my-app' },
    spans: [{ name: 'stock' }],
  })
})

test('the configuration of the Collector names the path of the server and joins what it defines', () => {
  const [yaml = ''] = blocks('yaml')
  expect(yaml).toContain(`traces_endpoint: http://127.0.0.1:7400${otlpTracesPath}`)
  const pipeline = [...yaml.matchAll(/^ {6}\w+: \[(.*)\]/gm)].flatMap(([, names = '']) => names.split(', '))
  expect(pipeline).toEqual(['otlp', 'filter/llm', 'batch', 'otlphttp/heddle'])
  for (const name of pipeline) expect(yaml).toMatch(`\n  ${name}:`)
})

/** The message logged for each row of the troubleshooting table. */
async function messagesOf(cause: () => Promise<unknown>): Promise<string> {
  const messages: string[] = []
  const keep = (...texts: unknown[]) => void messages.push(texts.join(' '))
  const nothing = () => undefined
  diag.setLogger({ error: keep, warn: keep, info: nothing, debug: nothing, verbose: nothing }, { logLevel: DiagLogLevel.WARN })
  await cause()
  diag.disable()
  return messages.join('\n')
}

async function sendWith(options: ExporterOptions, spans = 1): Promise<void> {
  const { pipeline } = startExporter({ baseUrl: server.url, scheduleDelayMs: 60_000, ...options })
  for (let id = 1; id <= spans; id++) pipeline.add({ span: aSpan({ id }), expendable: false })
  await pipeline.shutdown()
}

const answerWith = (status: number) => () => {
  server.next({ kind: 'answer', status })
  return sendWith({ apiKey: undefined })
}
const readVariables = (environment: Record<string, string>) => () =>
  Promise.resolve(toExporterSettings({ environment }, (message) => diag.warn(message)))

test.each<[string, () => Promise<unknown>]>([
  ['rejected the API key (the key is missing', answerWith(401)],
  ['starts neither with "Basic " nor with "Bearer "', readVariables({ OTEL_EXPORTER_OTLP_HEADERS: 'authorization=bare' })],
  ['does not exist on that server', answerWith(404)],
  ['ends with /v1/traces twice', readVariables({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://h.test/v1/traces' })],
  ['rejected spans', answerWith(400)],
  ['cannot reach the server', () => sendWith({ baseUrl: 'http://127.0.0.1:1', timeoutMs: 30, shutdownTimeoutMs: 200 })],
  ['the queue is full', () => sendWith({ maxQueueSpans: 1 }, 3)],
])('the troubleshooting table names the logged message: %s', async (words, cause) => {
  expect(readme).toContain(words)
  expect(await messagesOf(cause)).toContain(words)
})

const unfinished = `
import { trace } from '@opentelemetry/api'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { HeddleSpanProcessor, register } from '@heddle/otel-exporter'
const processor = new HeddleSpanProcessor()
const provider = new NodeTracerProvider({ spanProcessors: [processor] })
provider.getTracer('app').startSpan('late').end()
`

test.each([
  ['a program that ends first sends nothing', 'process.exit(0)', 0, ''],
  ['awaiting a flush at its end helps', 'await processor.forceFlush()', 1, ''],
  [
    'an existing provider is reported',
    'provider.register(); register(); setTimeout(() => process.exit(0), 10)',
    0,
    'the program already has a tracer provider',
  ],
])('of what is seen without a message, or on the console: %s', async (_, ending, spans, words) => {
  const before = acceptedSpans(server).length
  const { stderr } = await runProgram({ code: unfinished + ending, env: { HEDDLE_BASE_URL: server.url, HEDDLE_API_KEY: 'k' } })
  expect(acceptedSpans(server).length - before).toBe(spans)
  expect(stderr).toContain(words)
  expect(readme).toContain(words)
})

test('the commands of the first minute are those of this repository', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { scripts: Record<string, string> }
  expect(scripts['example']).toContain('example/app.mjs')
  expect(readme).toContain('npm run example --prefix packages/otel-exporter')
})
