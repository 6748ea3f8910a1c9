import { inspect } from 'node:util'
import { context, diag, propagation, ROOT_CONTEXT, trace, type Attributes, type DiagLogger } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { fetchPlatform } from '../platform/fetch-platform.ts'
import { nodePlatform } from '../platform/node-platform.ts'
import { PipelineProcessor } from './pipeline-processor.ts'
import { withGroupBaggage, withSpanGroup, withThread, withoutContent } from '../processing/trace-context.ts'
import type { ProcessorOptions } from '../settings/processor-options.ts'
import { chatAttributes } from '../testing/a-span.ts'
import type { DecodedSpan, DecodedValue } from '../testing/decode-otlp.ts'
import { acceptedSpans, startFaultServer, type FaultServer } from '../testing/fault-server.ts'

let server: FaultServer
// For its context, which follows the program through promises and timers.
beforeAll(() => new NodeTracerProvider().register())
afterAll(() => {
  context.disable()
  trace.disable()
})
beforeEach(async () => {
  server = await startFaultServer()
})
afterEach(async () => {
  diag.disable()
  await server.close()
})

/** A program with nothing but this processor. */
function startProgram(options: ProcessorOptions = {}, platform = nodePlatform) {
  const processor = new PipelineProcessor({ baseUrl: server.url, apiKey: 'key-canary-4321', environment: {}, ...options }, platform)
  const provider = new BasicTracerProvider({ spanProcessors: [processor] })
  const tracer = provider.getTracer('program')
  /** A span around what `fn` does. */
  const run = async (name: string, attributes: Attributes, fn: () => unknown = () => undefined) => {
    const span = tracer.startSpan(name, { attributes })
    await context.with(trace.setSpan(context.active(), span), async () => fn())
    span.end()
    return span
  }
  const finish = async () => {
    await provider.shutdown()
    return acceptedSpans(server)
  }
  return { processor, tracer, run, finish }
}

const model = { 'gen_ai.request.model': 'm' }
const namesOf = (spans: DecodedSpan[]) => spans.map(({ name }) => name)
const attributesOf = (span: DecodedSpan | undefined): Record<string, DecodedValue> =>
  Object.fromEntries((span?.attributes ?? []).map(({ key, value }) => [key, value]))

test('"llm" keeps spans about models and their ancestors, and drops siblings and descendants', async () => {
  const { run, finish, processor } = startProgram({ spans: 'llm' })
  await run('POST /ask', { 'http.request.method': 'POST' }, async () => {
    await run('SELECT user', { 'db.system': 'pg' })
    await run('answer', {}, async () => {
      await run('chat m', model, () => run('POST model.test', { 'http.request.method': 'POST' }))
      await run('cache', {})
    })
  })
  await run('GET /health', { 'http.request.method': 'GET' })
  const spans = await finish()
  expect(namesOf(spans)).toEqual(['chat m', 'answer', 'POST /ask'])
  expect(spans[0]?.parentSpanId).toBe(spans[1]?.spanId)
  expect(spans[1]?.parentSpanId).toBe(spans[2]?.spanId)
  expect(processor.stats()).toMatchObject({ ended: 3, sent: 3, filtered: 4 })
})

test('a kept span that ends after its parents were left out gets the nearest ancestor that is left', async () => {
  const { tracer, run, finish } = startProgram({ spans: 'llm' })
  const root = tracer.startSpan('agent', { attributes: model })
  let late: ReturnType<typeof tracer.startSpan> | undefined
  let noiseId = ''
  await context.with(trace.setSpan(context.active(), root), async () => {
    const noise = await run('outer', {}, () => run('inner', {}, () => void (late = tracer.startSpan('chat', { attributes: model }))))
    noiseId = noise.spanContext().spanId
  })
  late?.end()
  root.end()
  const [chat, agent] = await finish()
  expect(chat?.parentSpanId).toBe(agent?.spanId)
  expect(attributesOf(chat)['heddle.reparented_from']?.stringValue).toMatch(/^[0-9a-f]{16}$/)
  expect(attributesOf(chat)['heddle.reparented_from']?.stringValue).not.toBe(noiseId)
})

test('a predicate of the program chooses, and one that throws lets spans through', async () => {
  const chosen = startProgram({ spans: ({ name }) => name === 'yes' })
  await chosen.run('yes', {})
  await chosen.run('no', {})
  expect(namesOf(await chosen.finish())).toEqual(['yes'])
  const broken = startProgram({
    spans: () => {
      throw new Error('no')
    },
  })
  await broken.run('kept', {})
  expect(namesOf(await broken.finish())).toEqual(['yes', 'kept'])
})

test('a sample sends part of the traces, and all that failed or belong to a trajectory', async () => {
  const { run, tracer, finish, processor } = startProgram({ sample: 0 })
  await run('usual', model)
  await withSpanGroup({ trajectoryId: 'tr-1' }, () => run('attempt', model))
  await run('parent of a failure', {}, async () => {
    const span = tracer.startSpan('failure')
    span.setStatus({ code: 2, message: 'it broke' })
    span.end()
  })
  expect(namesOf(await finish())).toEqual(['attempt', 'failure', 'parent of a failure'])
  expect(processor.stats()).toMatchObject({ sampledOut: 1, filtered: 0 })
})

test('thread, session, user, tags and trajectory are on every span started inside, by any code and at any time', async () => {
  const { run, finish } = startProgram()
  await withThread('thread-1', () =>
    withSpanGroup({ sessionId: 's', userId: 'u', tags: ['a', 'b'], trajectoryId: 'tr-1', attemptIndex: 3 }, async () => {
      await run('outer', {}, async () => {
        await new Promise((resolve) => setImmediate(resolve))
        await run('inner', {})
      })
    }),
  )
  await run('outside', {})
  const [inner, outer, outside] = await finish()
  const expected = {
    'wandb.thread_id': { stringValue: 'thread-1' },
    'gen_ai.conversation.id': { stringValue: 'thread-1' },
    'session.id': { stringValue: 's' },
    'user.id': { stringValue: 'u' },
    'heddle.tags': { arrayValue: { values: [{ stringValue: 'a' }, { stringValue: 'b' }] } },
    'heddle.trajectory_id': { stringValue: 'tr-1' },
    'heddle.attempt_index': { intValue: '3' },
  }
  expect(attributesOf(inner)).toEqual(expected)
  expect(attributesOf(outer)).toEqual(expected)
  expect(attributesOf(outside)).toEqual({})
})

test('attempts side by side keep apart', async () => {
  const { run, finish } = startProgram()
  await Promise.all([1, 2, 3].map((index) => withSpanGroup({ trajectoryId: `tr-${index}` }, () => run(`attempt ${index}`, {}))))
  const spans = await finish()
  expect(spans.map((span) => [span.name, attributesOf(span)['heddle.trajectory_id']?.stringValue]).toSorted()).toEqual([
    ['attempt 1', 'tr-1'],
    ['attempt 2', 'tr-2'],
    ['attempt 3', 'tr-3'],
  ])
})

test('baggage carries the group to another service, and only on request', async () => {
  const { run, finish } = startProgram()
  let carried = ROOT_CONTEXT
  withSpanGroup({ threadId: 't', tags: ['x'], attemptIndex: 2 }, () => {
    expect(propagation.getActiveBaggage()).toBeUndefined()
    withGroupBaggage(() => {
      carried = propagation.setBaggage(ROOT_CONTEXT, propagation.getActiveBaggage() ?? propagation.createBaggage())
    })
  })
  await context.with(carried, () => run('elsewhere', {}))
  const foreign = propagation.createBaggage({
    'heddle.tags': { value: '{not json' },
    'heddle.attempt_index': { value: '-1' },
    other: { value: 'o' },
  })
  await context.with(propagation.setBaggage(ROOT_CONTEXT, foreign), () => run('hostile', {}))
  const [elsewhere, hostile] = await finish()
  expect(Object.keys(attributesOf(elsewhere)).toSorted()).toEqual([
    'gen_ai.conversation.id',
    'heddle.attempt_index',
    'heddle.tags',
    'wandb.thread_id',
  ])
  expect(attributesOf(hostile)).toEqual({})
})

test.each([
  ['none', ['gen_ai.request.model']],
  ['metadata', ['gen_ai.request.model', 'heddle.content_length.gen_ai.prompt', 'heddle.content_length.input.value']],
  ['full', ['gen_ai.request.model', 'gen_ai.prompt', 'input.value']],
] as const)('content capture "%s" sends %j', async (captureContent, expected) => {
  const { run, finish } = startProgram({ captureContent })
  await run('chat', { ...model, 'gen_ai.prompt': 'secret words', 'input.value': 'secret words' })
  const [span] = await finish()
  expect(Object.keys(attributesOf(span))).toEqual(expected)
})

test('without content means one call, all it starts, and its events', async () => {
  const { run, tracer, finish } = startProgram()
  await withoutContent(() =>
    run('quiet', { ...model, 'gen_ai.prompt': 'secret words' }, () => {
      const span = tracer.startSpan('inner', { attributes: { 'output.value': 'secret words' } })
      span.addEvent('gen_ai.user.message', { 'gen_ai.system': 'openai', content: 'secret words' })
      span.end()
    }),
  )
  await run('loud', { ...model, 'gen_ai.prompt': 'open words' })
  const spans = await finish()
  expect(JSON.stringify(spans)).not.toContain('secret')
  expect(JSON.stringify(spans)).toContain('open words')
  expect(spans[0]?.events?.[0]).toMatchObject({ name: 'gen_ai.user.message', attributes: [{ key: 'gen_ai.system' }] })
})

test('masks reach attributes, events, exceptions, links and status, and the JSON in them stays JSON', async () => {
  const { tracer, finish } = startProgram({ mask: ['emails', 'keys'] })
  const span = tracer.startSpan('chat', {
    attributes: {
      'gen_ai.input.messages': JSON.stringify([{ content: 'write to ada@example.com "now"' }]),
      n: 5,
      list: ['ada@example.com'],
    },
    links: [{ context: { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 }, attributes: { who: 'ada@example.com' } }],
  })
  span.addEvent('note', { to: 'ada@example.com' })
  span.recordException(new Error('sk-abcdefghijklmnopqrstuvwx was refused for ada@example.com'))
  span.setStatus({ code: 2, message: 'no mail to ada@example.com' })
  span.end()
  const [sent] = await finish()
  expect(JSON.stringify(sent)).not.toMatch(/ada@example|sk-abc/)
  expect(attributesOf(sent)['gen_ai.input.messages']?.stringValue).toBe('[{"content":"write to [email] \\"now\\""}]')
  expect(attributesOf(sent)['n']).toEqual({ intValue: '5' })
  expect(sent?.status?.message).toBe('no mail to [email]')
})

test('a mask that throws or returns a non-text removes the value', async () => {
  const warn = vi.fn<DiagLogger['warn']>()
  diag.setLogger({ warn } as unknown as DiagLogger)
  const throwing = startProgram({
    mask: (text) => {
      if (text.includes('secret')) throw new Error(`failed on ${text}`)
      return text
    },
  })
  await throwing.run('a', { plain: 'fine', raw: 'secret words', json: '{"a":"secret words"}' })
  await throwing.finish()
  const nonsense = startProgram({ mask: (async () => 'later') as never })
  await nonsense.run('b', { raw: 'secret words' })
  const [a, b] = await nonsense.finish()
  expect(attributesOf(a)).toEqual({
    plain: { stringValue: 'fine' },
    raw: { stringValue: '[mask failed]' },
    json: { stringValue: '[mask failed]' },
  })
  expect(attributesOf(b)).toEqual({ raw: { stringValue: '[mask failed]' } })
  expect(JSON.stringify(warn.mock.calls)).toContain('a mask failed on')
  expect(JSON.stringify(warn.mock.calls)).not.toContain('secret')
})

test('over another processor spans arrive there filtered and masked, and nothing is sent', async () => {
  const memory = new InMemorySpanExporter()
  const { run, processor } = startProgram({ processor: new SimpleSpanProcessor(memory), mask: 'emails', spans: 'llm' })
  await run('chat', { ...model, to: 'ada@example.com' })
  await run('noise', {})
  await processor.forceFlush()
  expect(
    memory.getFinishedSpans().map(({ name, attributes, duration, ended }) => ({ name, attributes, timed: duration.length, ended })),
  ).toEqual([{ name: 'chat', attributes: { ...model, to: '[email]' }, timed: 2, ended: true }])
  await processor.shutdown()
  expect(server.requests).toEqual([])
})

test('the original span stays as it was for other processors', async () => {
  const { run, finish } = startProgram({ mask: 'emails', captureContent: 'none' })
  const span = await run('chat', { 'gen_ai.prompt': 'x', to: 'ada@example.com' })
  await finish()
  expect((span as unknown as { attributes: Attributes }).attributes).toEqual({ 'gen_ai.prompt': 'x', to: 'ada@example.com' })
})

test('spans that are not sampled by the SDK, and those of our own requests, are not sent', async () => {
  const { processor, run, finish } = startProgram()
  await run('own request', { 'url.full': `${server.url}/otel/v1/traces` })
  await run('other request', { 'url.full': `${server.url}/elsewhere` })
  expect(namesOf(await finish())).toEqual(['other request'])
  expect(processor.stats()).toMatchObject({ ended: 1 })
})

test('disabled means that nothing happens', async () => {
  const { run, finish, processor } = startProgram({ environment: { HEDDLE_DISABLED: 'true' } })
  await run('chat', model)
  await processor.forceFlush()
  expect(await finish()).toEqual([])
  expect(server.requests).toEqual([])
})

test('waitUntil is called whenever a trace ends', async () => {
  const waiting: Promise<unknown>[] = []
  const { run, processor } = startProgram({ compression: 'gzip', waitUntil: (flushed) => waiting.push(flushed) }, fetchPlatform)
  await run('handler', {}, () => run('chat', { ...model, ...chatAttributes(5000) }))
  expect(waiting).toHaveLength(1)
  await Promise.all(waiting)
  expect(namesOf(acceptedSpans(server))).toEqual(['chat', 'handler'])
  expect(server.requests[0]?.headers['content-encoding']).toBe('gzip')
  await processor.shutdown()
})

test('values that a short limit cuts are warned of once', async () => {
  const warn = vi.fn<DiagLogger['warn']>()
  diag.setLogger({ warn } as unknown as DiagLogger)
  const { run, finish } = startProgram({ environment: { OTEL_SPAN_ATTRIBUTE_VALUE_LENGTH_LIMIT: '20' } })
  await run('a', { json: `{"a":"${'x'.repeat(100)}"}`.slice(0, 20) })
  await run('b', { json: `{"a":"${'x'.repeat(100)}"}`.slice(0, 20) })
  await finish()
  expect(warn.mock.calls.filter(([, message]) => String(message).includes('truncates values to 20 characters'))).toHaveLength(1)
})

test('the key is in no object, log or error that the program can see', async () => {
  const logged: unknown[] = []
  const log = (...words: unknown[]) => void logged.push(words)
  diag.setLogger({ error: log, warn: log, info: log, debug: log, verbose: log })
  server.next({ kind: 'answer', status: 401 }, { kind: 'answer', status: 500 })
  const { run, processor, finish } = startProgram()
  await run('a', {})
  await processor.forceFlush().catch(log)
  await finish()
  const seen = inspect([processor, logged, processor.stats()], { depth: 20, showHidden: true }) + JSON.stringify([processor, logged])
  expect(seen).toContain('4321')
  expect(seen).not.toMatch(/canary|a2V5LWNhbmFyeQ|YXBpOmtleS1jYW5hcnk/)
})
