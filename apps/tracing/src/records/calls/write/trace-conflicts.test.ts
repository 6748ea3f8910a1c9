import { randomBytes } from 'node:crypto'
import { sliceOfSuite } from '@heddle/testing'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, anEnd, aStart, findCalls, newId, readCall, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

const stores = [
  { store: 'embedded', options: {}, isMissing: false },
  { store: 'on PostgreSQL', options: { postgresUrl: inject('postgresUrl') }, isMissing: inject('postgresUrl') === '' },
]

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
const nanos = (second: number) => String(1_772_323_200_000_000_000n + BigInt(second) * 1_000_000_000n)

interface SentSpan {
  spanId: string
  traceId: string
  name: string
  second?: number
  isRunning?: boolean
}

describe.each(stores)('ids of calls in two traces, $store', ({ store, options, isMissing }) => {
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp(options)
  })
  afterAll(() => app?.close())

  const send = async (project_id: string, ...spans: SentSpan[]) => {
    const sent = spans.map(({ second = 0, isRunning = false, ...span }) => ({
      ...span,
      startTimeUnixNano: nanos(second),
      endTimeUnixNano: isRunning ? '0' : nanos(second + 1),
    }))
    const headers = { 'content-type': 'application/json', project_id }
    return sendRaw(app, { path: '/otel/v1/traces', headers, body: { resourceSpans: [{ scopeSpans: [{ spans: sent }] }] } })
  }
  const namesIn = async (project_id: string) =>
    (await findCalls(app.client, { project_id })).map((call) => (call.attributes['otel_span'] as { name: string }).name).toSorted()

  describe.each([
    { when: 'in one request', split: false, flushed: false },
    { when: 'in a later request', split: true, flushed: false },
    { when: 'after the first one was read', split: true, flushed: true },
  ])('$when', ({ split, flushed }) => {
    test.skipIf(isMissing)('a span whose id another trace has is refused by name, and the first one stays', async () => {
      const project_id = app.newProject()
      const [spanId, one, other, third] = [hex(8), hex(16), hex(16), hex(8)]
      const first = { spanId, traceId: one, name: 'first' }
      const second = { spanId, traceId: other, name: 'second', second: 5 }
      const beside = { spanId: third, traceId: other, name: 'beside' }
      if (split) expect(await send(project_id, first)).toMatchObject({ status: 200, body: {} })
      if (flushed) await namesIn(project_id)
      const answer = await send(project_id, ...(split ? [] : [first]), second, beside)
      const reason = `call ${spanId} of trace ${other} is not stored: project ${project_id} has a call with this id in trace ${one}`
      expect(answer).toMatchObject({
        status: 200,
        body: { partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining(reason) as string } },
      })
      expect(await namesIn(project_id)).toEqual(['beside', 'first'])
      // What is sent again is still the same call.
      expect(await send(project_id, { ...first, second: 0 })).toMatchObject({ status: 200, body: {} })
      expect(await readCall(app.client, { project_id, id: spanId })).toMatchObject({ trace_id: one })
    })
  })

  const isEnded = expect.any(String) as string

  test.skipIf(isMissing).each([
    { order: 'after it', parts: [['done'], ['begun']] },
    { order: 'before and after it', parts: [['begun'], ['done'], ['begun']] },
    { order: 'after it in one request', parts: [['done', 'begun']] },
    { order: 'before it in one request', parts: [['begun', 'done']] },
  ])('an unfinished version of a span never replaces the finished one, sent $order', async ({ parts }) => {
    const project_id = app.newProject()
    const [spanId, traceId] = [hex(8), hex(16)]
    for (const names of parts) {
      await send(project_id, ...names.map((name) => ({ spanId, traceId, name, isRunning: name === 'begun' })))
      await namesIn(project_id)
    }
    expect(await namesIn(project_id)).toEqual(['done'])
    expect(await readCall(app.client, { project_id, id: spanId })).toMatchObject({ ended_at: isEnded })
  })

  test.skipIf(isMissing)('a start that comes again never replaces a finished call', async () => {
    const project_id = app.newProject()
    const call = aCall({ project_id })
    await record(app.client, call)
    const { id, trace_id } = call
    await app.client.calls.start({ start: aStart({ project_id, id, trace_id: trace_id ?? null }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({ ended_at: isEnded })
    expect(await findCalls(app.client, { project_id })).toHaveLength(1)
  })

  test.skipIf(isMissing)('an id of a deleted call is refused in another trace too, and by its own it stays deleted', async () => {
    const project_id = app.newProject()
    const [spanId, one, other] = [hex(8), hex(16), hex(16)]
    await send(project_id, { spanId, traceId: one, name: 'first' })
    await app.client.calls.delete({ project_id, call_ids: [spanId] })
    expect(await send(project_id, { spanId, traceId: other, name: 'second' })).toMatchObject({
      body: { partialSuccess: { rejectedSpans: '1' } },
    })
    expect(await send(project_id, { spanId, traceId: one, name: 'again' })).toMatchObject({ status: 200, body: {} })
    expect(await namesIn(project_id)).toEqual([])
  })

  test.skipIf(isMissing)('a start of another trace is 409, and nothing of the call changes', async () => {
    const project_id = app.newProject()
    const [id, one, other] = [newId(), newId(), newId()]
    await app.client.calls.start({ start: aStart({ project_id, id, trace_id: one, op_name: 'first' }) })
    await expect(app.client.calls.start({ start: aStart({ project_id, id, trace_id: other, op_name: 'second' }) })).rejects.toMatchObject({
      status: 409,
      message: expect.stringContaining(`in trace ${one}`) as string,
    })
    await app.client.calls.end({ end: anEnd({ project_id, id }) })
    expect(await readCall(app.client, { project_id, id })).toMatchObject({
      trace_id: one,
      op_name: 'first',
      ended_at: expect.any(String) as string,
    })
  })

  test.skipIf(isMissing)('a start that names no trace is the same call when it is sent again', async () => {
    const project_id = app.newProject()
    const start = { ...aStart({ project_id, id: newId() }), trace_id: null }
    await app.client.calls.start({ start })
    await app.client.calls.start({ start })
    expect(await findCalls(app.client, { project_id })).toMatchObject([{ id: start.id }])
  })

  test.skipIf(isMissing)('an item of a batch is refused at its place, and nothing of the batch is stored', async () => {
    const project_id = app.newProject()
    const [entity = '', project = ''] = project_id.split('/')
    const first = aCall({ project_id })
    await record(app.client, first)
    const batch = [aCall({ project_id }), { ...first, trace_id: newId() }]
    const loc = ['body', 'batch', 1, 'trace_id']
    await expect(app.client.calls.complete({ entity, project, batch })).rejects.toMatchObject({ status: 422, issues: [{ loc }] })
    expect(await findCalls(app.client, { project_id })).toMatchObject([{ id: first.id, trace_id: first.trace_id }])
    const starts = [newId(), newId()].map((trace_id) => ({
      mode: 'start' as const,
      req: { start: aStart({ project_id, id: batch[0]!.id, trace_id }) },
    }))
    await expect(app.client.calls.upsertBatch({ batch: starts })).rejects.toMatchObject({
      status: 422,
      issues: [{ loc: ['body', 'batch', 1, 'req', 'start', 'trace_id'] }],
    })
  })

  sliceOfSuite({ isWhole: store === 'embedded' })
})
