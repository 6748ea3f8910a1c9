import { otlpTracesPath } from '@heddle/core-api/attributes'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acceptedSpans, startFaultServer, type FaultServer } from './testing/fault-server.ts'
import { runProgram } from './testing/run-program.ts'
import { explainRefusal } from './sending/explain-refusal.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const blocks = (language: string) =>
  [...readme.matchAll(/```(\w+)\n([\s\S]*?)```/g)].filter(([, name]) => name === language).map(([, , code = '']) => code)

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
      headers: { authorization: `Basic ${btoa('api:your-key')}`, project_id: 'my-team/my-app' },
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
    headers: { authorization: `Basic ${btoa('api:your-key')}`, project_id: 'my-team/my-app' },
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

test('the messages that the page about symptoms names are those that are told', () => {
  const target = { url: 'http://h.test', keyHint: 'missing: set HEDDLE_API_KEY' }
  const told = [401, 404, 400].map((httpStatus) => explainRefusal(target, { httpStatus, reason: '' })).join('\n')
  for (const words of ['refused the key (the key is missing', 'does not exist on that server', 'refused spans']) {
    expect(readme).toContain(words)
    expect(told).toContain(words)
  }
})
