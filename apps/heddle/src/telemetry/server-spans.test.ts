import {
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  AlwaysOnSampler,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base'
import { trace } from '@opentelemetry/api'
import { expect, test } from 'vitest'
import { createServerSpans } from './server-spans.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const ended = { operation: 'calls.query_stats', status: 200, ms: 5, waited: 1 }

function start() {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new SimpleSpanProcessor(exporter)],
  })
  const tracing = createServerSpans(provider.getTracer('tests'))
  const begin = (traceparent?: string) =>
    tracing.traceRequest({
      method: 'POST',
      operation: 'calls.query_stats',
      headers: new Headers({ authorization: 'Bearer hush', ...(traceparent !== undefined && { traceparent }) }),
    })
  return { ...tracing, begin, spans: () => exporter.getFinishedSpans() }
}

test('a request continues the trace of its client, and its statements are below it', async () => {
  const { begin, traceStatement, onSpans, spans } = start()
  const request = begin(`00-${traceId}-00f067aa0ba902b7-01`)
  await request?.run(async () => {
    const statement = traceStatement({ kind: 'insert', table: 'calls' })
    await Promise.resolve()
    statement.end()
    onSpans({ stored: 3, rejected: 1 })
  })
  request?.end({ ...ended, bodyBytes: 20 })
  const [statement, whole] = spans()
  expect(whole).toMatchObject({ name: 'calls.query_stats', parentSpanContext: { spanId: '00f067aa0ba902b7' } })
  expect(whole?.spanContext().traceId).toBe(traceId)
  expect(whole?.attributes).toEqual({
    'http.request.method': 'POST',
    'heddle.operation': 'calls.query_stats',
    'heddle.spans.stored': 3,
    'heddle.spans.rejected': 1,
    'heddle.queued_ms': 1,
    'http.request.body.size': 20,
    'http.response.status_code': 200,
  })
  expect(statement).toMatchObject({ name: 'engine insert calls', parentSpanContext: { spanId: whole?.spanContext().spanId } })
})

test('a request of a trace that is not recorded is not recorded either, nor are its statements', async () => {
  const { begin, traceStatement, spans } = start()
  const request = begin(`00-${traceId}-00f067aa0ba902b7-00`)
  await request?.run(async () => traceStatement({ kind: 'read' }).end())
  request?.end(ended)
  expect(spans()).toEqual([])
})

test('failures are marked by their kind, without their message', async () => {
  const { begin, traceJob, traceStatement, spans } = start()
  const request = begin()
  await request?.run(async () => traceStatement({ kind: 'read' }).end('timeout'))
  request?.end({ ...ended, status: 503, refusal: 'store_timeout' })
  const job = traceJob({ kind: 'delete-calls', attempt: 2 }, () => Promise.reject(new TypeError('about somebody')))
  await expect(job).rejects.toThrow('about somebody')
  expect(spans().map(({ name, status, attributes }) => [name, status.code, attributes['error.type']])).toEqual([
    ['engine read', 2, 'timeout'],
    ['calls.query_stats', 2, 'store_timeout'],
    ['job delete-calls', 2, 'TypeError'],
  ])
  expect(JSON.stringify(spans().map(({ attributes, events, status }) => [attributes, events, status]))).not.toMatch(/somebody|hush/)
})

test('a job begins a trace of its own, also where a request woke its worker', async () => {
  const { begin, traceJob, traceStatement, spans } = start()
  const request = begin()
  await request?.run(() => traceJob({ kind: 'score', attempt: 1 }, async () => traceStatement({ kind: 'change' }).end()))
  request?.end(ended)
  const [statement, job, whole] = spans()
  expect(job?.parentSpanContext).toBeUndefined()
  expect(statement?.spanContext().traceId).toBe(job?.spanContext().traceId)
  expect(whole?.spanContext().traceId).not.toBe(job?.spanContext().traceId)
})

test('a statement of no request and no job, such as a check of the engine, is not recorded', () => {
  const { traceStatement, spans } = start()
  traceStatement({ kind: 'read' }).end()
  expect(spans()).toEqual([])
})

test('nothing is registered for the process, so that spans of a program which starts a server are its own', () => {
  start()
  expect(trace.getTracer('others').startSpan('a').isRecording()).toBe(false)
})
