import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { context, trace } from '@opentelemetry/api'
import { HeddleSpanExporter, HeddleSpanProcessor, withThread, type ProcessorOptions } from '@heddle/otel-exporter'
import { HeddleSpanProcessor as FetchSpanProcessor } from '@heddle/otel-exporter/fetch'
import { createOtlpHttpExporter } from '@heddle/otel-exporter/otlp-http'
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { drawTree, readCalls } from '../testing/call-tree.ts'
import { startServer, type ServerUnderTest } from '../testing/start-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  // For its context, which follows the program through promises.
  new NodeTracerProvider().register()
  server = await startServer()
})
afterEach(() => expect(server.failures).toEqual([]))
afterAll(async () => {
  context.disable()
  trace.disable()
  await server.close()
})

/** A small agent, traced by one processor, which is shut down at its end. */
async function runAgent(processor: SpanProcessor): Promise<void> {
  const provider = new NodeTracerProvider({ spanProcessors: [processor] })
  const tracer = provider.getTracer('agent', '1.0.0')
  withThread('talk-1', () =>
    tracer.startActiveSpan('agent', { attributes: { 'gen_ai.operation.name': 'invoke_agent' } }, (root) => {
      const attributes = {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'm',
        'gen_ai.usage.input_tokens': 5,
        'gen_ai.usage.output_tokens': 2,
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [{ type: 'text', content: 'Grüße an ada@example.com 🌍 '.repeat(100) }] },
        ]),
      }
      tracer.startSpan('chat', { attributes }).end()
      tracer.startSpan('SELECT', { attributes: { 'db.system': 'pg' } }).end()
      root.end()
    }),
  )
  await provider.shutdown()
}

const settings = (project: string, more: ProcessorOptions = {}): ProcessorOptions => ({
  baseUrl: server.url,
  apiKey: server.apiKey,
  project,
  environment: {},
  ...more,
})

const ways: [string, (project: string) => SpanProcessor, string[]][] = [
  ['the processor', (project) => new HeddleSpanProcessor(settings(project)), ['agent', '  chat', '  select']],
  [
    'the processor in front of the exporter of OpenTelemetry, which sends JSON',
    (project) => new HeddleSpanProcessor({ processor: new BatchSpanProcessor(createOtlpHttpExporter(settings(project))) }),
    ['agent', '  chat', '  select'],
  ],
  [
    'the processor without compression',
    (project) => new HeddleSpanProcessor(settings(project, { compression: 'none' })),
    ['agent', '  chat', '  select'],
  ],
  ['the filter', (project) => new HeddleSpanProcessor(settings(project, { spans: 'llm' })), ['agent', '  chat']],
  ['fetch', (project) => new FetchSpanProcessor(settings(project)), ['agent', '  chat', '  select']],
  ['the exporter', (project) => new BatchSpanProcessor(new HeddleSpanExporter(settings(project))), ['agent', '  chat', '  select']],
  [
    'the exporter of OpenTelemetry',
    (project) => new BatchSpanProcessor(createOtlpHttpExporter(settings(project))),
    ['agent', '  chat', '  select'],
  ],
]

test.each(ways)('spans arrive whole through %s', async (_, createProcessor, tree) => {
  const project = server.newProject()
  await runAgent(createProcessor(project))
  const calls = await readCalls(server, project)
  // Spans may start in the same microsecond, so siblings are compared without their order.
  expect(drawTree(calls).toSorted()).toEqual(tree.toSorted())
  expect(calls.find(({ display_name, attributes }) => display_name === 'chat' || attributes['model'] === 'm')).toMatchObject({
    inputs: { 'gen_ai.input.messages': [{ parts: [{ content: 'Grüße an ada@example.com 🌍 '.repeat(100) }] }] },
    summary: { usage: { m: { input_tokens: 5, output_tokens: 2 } } },
  })
})

test('grouping reaches the thread of the calls, and masks what the server stores', async () => {
  const project = server.newProject()
  await runAgent(new HeddleSpanProcessor(settings(project, { mask: 'emails' })))
  const calls = await readCalls(server, project)
  expect(calls.map(({ thread_id }) => thread_id)).toEqual(['talk-1', 'talk-1', 'talk-1'])
  expect(JSON.stringify(calls)).toContain('Grüße an [email] 🌍')
  expect(JSON.stringify(calls)).not.toContain('ada@example')
})

test('spans without a project are refused, and the reason that the server gives is logged', async () => {
  const exporter = new HeddleSpanExporter({ baseUrl: server.url, apiKey: server.apiKey, environment: {} })
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] })
  provider.getTracer('agent').startSpan('lost').end()
  await expect(provider.shutdown()).rejects.toThrow('no project')
  expect(exporter.stats()).toMatchObject({ ended: 1, dropped: 1, droppedBy: { refused: 1 } })
})

test('spans that waited on disk while the server was away become calls once it is there, each once', async () => {
  const project = server.newProject()
  const spoolDir = mkdtempSync(join(tmpdir(), 'heddle-client-spool-'))
  const processor = new HeddleSpanProcessor(
    settings(project, { spoolDir, mode: 'lossless', maxQueueSpans: 10, maxBatchSpans: 10, concurrency: 1 }),
  )
  const tracer = new NodeTracerProvider({ spanProcessors: [processor] }).getTracer('agent')
  for (let index = 0; index < 200; index++) tracer.startSpan('step', { attributes: { index } }).end()
  await processor.forceFlush()
  await expect.poll(() => processor.stats().spooled).toBe(0)
  await processor.shutdown()
  expect(processor.stats()).toMatchObject({ ended: 200, sent: 200, dropped: 0, spooled: 0 })
  const { calls } = await server.client.calls.query({ project_id: project })
  expect(calls).toHaveLength(200)
  rmSync(spoolDir, { recursive: true })
})
