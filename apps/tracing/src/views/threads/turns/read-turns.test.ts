import type { QueryOperation } from '@heddle/core-api'
import type { Thread, ThreadTurn } from '@heddle/core-api/types'
import { readConversation } from '@heddle/trace-model'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { aCall, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { askedOf, type Recording, recordings, sendRecording } from '../../../testing/recordings.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

async function listed<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}

const at = (second: number) => `2026-03-01T00:00:${String(second).padStart(2, '0')}Z`
const hex = (bytes: number) => Array.from({ length: bytes * 2 }, () => Math.floor(Math.random() * 16).toString(16)).join('')

const stores = [
  { name: 'one server', postgresUrl: undefined, oneOf: 24 },
  // What a recording becomes does not depend on where names and jobs are stored: a few represent all there.
  ...(inject('postgresUrl') === '' ? [] : [{ name: 'servers on one store', postgresUrl: inject('postgresUrl'), oneOf: Infinity }]),
]

describe.each(stores)('turns, $name', ({ postgresUrl, oneOf }) => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp(postgresUrl === undefined ? {} : { postgresUrl })
  })
  afterAll(() => app.close())

  const threadsOf = (project_id: string): Promise<Thread[]> => listed(app.client.threads.streamQuery({ project_id }))
  const turnsOf = (project_id: string, thread_id: string, page: object = {}): Promise<ThreadTurn[]> =>
    listed(app.client.threads.streamTurns({ project_id, thread_id, ...page }))

  const sendTo = (project: string, recording: Recording) =>
    sendRecording(recording, {
      apiKey: app.apiKey,
      project,
      fetch: (path, init) => app.service.fetch(new Request(`http://heddle.test${path}`, init)),
    })

  interface SentSpan {
    id: string
    trace: string
    parent?: string
    attributes?: Record<string, string | number>
    second?: number
  }

  async function sendSpans(project_id: string, ...spans: SentSpan[]): Promise<void> {
    const nanos = (second: number) => `${BigInt(Date.parse(at(0))) * 1_000_000n + BigInt(second) * 1_000_000_000n}`
    const sent = spans.map(({ id, trace, parent, attributes = {}, second = 0 }) => ({
      traceId: trace,
      spanId: id,
      ...(parent && { parentSpanId: parent }),
      name: 'span',
      startTimeUnixNano: nanos(second),
      endTimeUnixNano: nanos(second + 1),
      attributes: Object.entries(attributes).map(([key, value]) => ({
        key,
        value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value },
      })),
    }))
    const bytes = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: sent }] }] }))
    await app.client.otel.exportTrace({ 'project-id': project_id, content_type: 'application/json', bytes })
  }

  const chat = (input: number, output: number, said?: [string, string]) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'priced',
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    ...(said && {
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: said[0] }] }]),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: said[1] }] }]),
    }),
  })

  async function pricedProject(): Promise<string> {
    const project_id = app.newProject()
    const price = { prompt_token_cost: 1, completion_token_cost: 10, effective_date: '2026-01-01' }
    await app.client.costs.create({ project_id, costs: { priced: price } })
    return project_id
  }

  test('a turn has the usage, cost, first input and last output of its trace where one span alone names the session', async () => {
    const project_id = await pricedProject()
    const [trace, root, one, other] = [hex(16), hex(8), hex(8), hex(8)]
    await sendSpans(
      project_id,
      { trace, id: root },
      { trace, id: one, parent: root, second: 1, attributes: { ...chat(100, 5, ['Hello?', 'Let me see']), 'session.id': 's' } },
      { trace, id: other, parent: root, second: 3, attributes: chat(200, 7, ['Go on', 'Here you are']) },
    )
    const [turn, ...others] = await turnsOf(project_id, 's')
    expect(others).toEqual([])
    expect(turn).toMatchObject({ id: root, trace_id: trace, started_at: at(0), ended_at: at(4), status: 'success', tokens: 312, cost: 420 })
    expect(turn).toMatchObject({ input_call_id: one, output_call_id: other, unpriced_uses: 0, is_parent_missing: false, is_behind: false })
    expect(turn?.input).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'Hello?' }] }])
    expect(turn?.output).toEqual([{ role: 'assistant', parts: [{ type: 'text', text: 'Here you are' }] }])
  })

  test('a turn whose input holds no text shows the prompt of its first model call, and one that returns a printed object the answer of the last', async () => {
    const project_id = await pricedProject()
    const [trace, root, prepared, one] = [hex(16), hex(8), hex(8), hex(8)]
    const prepares = { 'openinference.span.kind': 'LLM', 'input.value': '{"messages":["ChatMessage(role=…)"],"verbose":false}' }
    const own = {
      'session.id': 's',
      'input.value': '{"init_state":{"is_running":false,"config":{"steps":"setup"}}}',
      'output.value': 'StopEvent(result=AgentOutput(…',
    }
    await sendSpans(
      project_id,
      { trace, id: root, attributes: own },
      { trace, id: prepared, parent: root, second: 1, attributes: prepares },
      { trace, id: one, parent: root, second: 2, attributes: chat(100, 5, ['Where is Ulm?', 'In Germany.']) },
    )
    const [turn] = await turnsOf(project_id, 's')
    expect(turn).toMatchObject({ id: root, input_call_id: one, output_call_id: one })
    expect(turn?.input).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'Where is Ulm?' }] }])
    expect(turn?.output).toEqual([{ role: 'assistant', parts: [{ type: 'text', text: 'In Germany.' }] }])

    const [other, alone] = [hex(16), hex(8)]
    await sendSpans(project_id, { trace: other, id: alone, attributes: { ...own, 'session.id': 'alone' } })
    expect(await turnsOf(project_id, 'alone')).toMatchObject([{ input_call_id: alone, output_call_id: alone, input: [{ role: 'input' }] }])
  })

  test('a later span may name the session, and one below a missing parent', async () => {
    const project_id = await pricedProject()
    const [trace, root, late] = [hex(16), hex(8), hex(8)]
    await sendSpans(project_id, { trace, id: root, parent: hex(8), attributes: chat(10, 1, ['Early?', 'Yes']) })
    expect(await turnsOf(project_id, 'late')).toEqual([])
    await sendSpans(project_id, { trace, id: late, parent: root, second: 2, attributes: { ...chat(20, 2), 'session.id': 'late' } })
    expect(await turnsOf(project_id, 'late')).toMatchObject([
      { id: root, tokens: 33, cost: 60, is_parent_missing: true, input_call_id: root },
    ])
  })

  test('the traces of a thread are found by it, in filters and in queries, where a call below the root alone names it, and their other calls are not', async () => {
    const project_id = await pricedProject()
    const [trace, root, named, other, ofAnother] = [hex(16), hex(8), hex(8), hex(16), hex(8)]
    await sendSpans(
      project_id,
      { trace, id: root },
      { trace, id: named, parent: root, second: 1, attributes: { 'session.id': 's' } },
      { trace: other, id: ofAnother, second: 2, attributes: { 'session.id': 'another' } },
    )
    const idsBy = async (filter: object) =>
      (await listed(app.client.calls.streamQuery({ project_id, filter, columns: ['id'] }))).map(({ id }) => id)
    const ofTraces = { trace_roots_only: true, thread_ids: ['s'] }
    expect(await idsBy(ofTraces)).toEqual([root])
    expect((await app.client.calls.queryStats({ project_id, filter: ofTraces })).count).toBe(1)
    expect(await idsBy({ thread_ids: ['s'] })).toEqual([named])
    expect(await idsBy({ trace_roots_only: true, thread_ids: [''] })).toEqual([])

    const unnamed = hex(8)
    await sendSpans(project_id, { trace: hex(16), id: unnamed, second: 3 })
    const idsWhere = async ($expr: QueryOperation, trace_roots_only = true) => {
      const query = { project_id, filter: { trace_roots_only }, query: { $expr }, columns: ['id'] }
      return (await listed(app.client.calls.streamQuery(query))).map(({ id }) => id)
    }
    const [thread_id, s] = [{ $getField: 'thread_id' }, { $literal: 's' }]
    expect(await idsWhere({ $eq: [thread_id, s] })).toEqual([root])
    expect(await idsWhere({ $eq: [thread_id, s] }, false)).toEqual([named])
    expect(await idsWhere({ $in: [thread_id, [s, { $literal: 'none' }]] })).toEqual([root])
    expect(await idsWhere({ $contains: { input: thread_id, substr: { $literal: 'noth' }, case_insensitive: false } })).toEqual([ofAnother])
    expect(await idsWhere({ $gt: [thread_id, { $literal: 'b' }] })).toEqual([root])
    expect(await idsWhere({ $not: [{ $eq: [thread_id, s] }] })).toEqual([ofAnother])
    expect(await idsWhere({ $eq: [{ $size: thread_id }, { $literal: 1 }] })).toEqual([root])
    expect(await idsWhere({ $eq: [thread_id, { $literal: null }] })).toEqual([unnamed])
    const sort_by = [{ field: 'thread_id', direction: 'desc' as const }]
    const sorted = await listed(app.client.calls.streamQuery({ project_id, filter: { trace_roots_only: true }, sort_by, columns: ['id'] }))
    expect(sorted.map(({ id }) => id)).toEqual([root, ofAnother, unnamed])
    const { count } = await app.client.calls.queryStats({
      project_id,
      filter: { trace_roots_only: true },
      query: { $expr: { $eq: [thread_id, s] } },
    })
    expect(count).toBe(1)
    const ofTraceCalls = { project_id, start: at(0), end: at(10), granularity: 3600, call_metrics: [{ metric: 'call_count' as const }] }
    const statsOf = async (given: object) => (await app.client.calls.stats({ ...ofTraceCalls, ...given })).call_buckets
    expect(await statsOf({ filter: ofTraces })).toMatchObject([{ count: 1 }])
    expect(await statsOf({ filter: { trace_roots_only: true }, query: { $expr: { $eq: [thread_id, s] } } })).toMatchObject([{ count: 1 }])
    const byThread = await statsOf({ filter: { trace_roots_only: true }, group_by: 'thread' })
    expect(Object.fromEntries(byThread.map(({ group, count: calls }) => [group, calls]))).toEqual({ s: 1, another: 1, null: 1 })

    await app.client.calls.delete({ project_id, call_ids: [named] })
    expect(await idsBy(ofTraces)).toEqual([])
  })

  test('turns of one trace have what is at and below each of them, failures too, and a root that is a turn the whole trace', async () => {
    const project_id = await pricedProject()
    const trace_id = newId()
    const [root, first, second] = [newId(), newId(), newId()]
    const usage = (prompt_tokens: number) => ({ usage: { priced: { prompt_tokens } } })
    const times = (second: number) => ({ started_at: at(second), ended_at: at(second + 1) })
    await record(
      app.client,
      aCall({ project_id, trace_id, id: root, ...times(0), summary: usage(30) }),
      aCall({
        project_id,
        trace_id,
        id: first,
        parent_id: root,
        thread_id: 't',
        turn_id: first,
        ...times(1),
        inputs: { q: 'A?' },
        output: 'a',
      }),
      aCall({ project_id, trace_id, parent_id: first, thread_id: 't', turn_id: first, ...times(1), summary: usage(10) }),
      aCall({
        project_id,
        trace_id,
        id: second,
        parent_id: root,
        thread_id: 't',
        turn_id: second,
        ...times(3),
        inputs: { q: 'B?' },
        output: 'b',
      }),
      aCall({
        project_id,
        trace_id,
        parent_id: second,
        thread_id: 't',
        turn_id: second,
        ...times(3),
        exception: 'no weather',
        summary: usage(20),
      }),
    )
    const turns = await turnsOf(project_id, 't')
    expect(turns).toMatchObject([
      {
        id: first,
        status: 'success',
        tokens: 10,
        cost: 10,
        input: [{ role: 'input', parts: [{ text: 'A?' }] }],
        output: [{ parts: [{ text: 'a' }] }],
      },
      {
        id: second,
        status: 'descendant_error',
        tokens: 20,
        cost: 20,
        input: [{ role: 'input', parts: [{ text: 'B?' }] }],
        output: [{ parts: [{ text: 'b' }] }],
      },
    ])
    expect(await turnsOf(project_id, 't', { limit: 1 })).toEqual([turns[0]])
    expect(await turnsOf(project_id, 't', { after: { started_at: turns[0]?.started_at, id: first } })).toEqual([turns[1]])
  })

  test('a turn that was deleted is none', async () => {
    const project_id = app.newProject()
    const [kept, gone] = [newId(), newId()]
    await record(app.client, ...[kept, gone].map((id) => aCall({ project_id, id, turn_id: id, thread_id: 't' })))
    await app.client.calls.delete({ project_id, call_ids: [gone] })
    expect(await turnsOf(project_id, 't')).toMatchObject([{ id: kept, tokens: null, cost: null }])
    await expect(listed(app.client.threads.streamTurns({ project_id, thread_id: 't', limit: 201 }))).rejects.toMatchObject({ status: 422 })
  })

  const threaded = recordings.filter(({ expected }) => expected.traces.some(({ thread }) => thread !== undefined))
  test.each(inject('long') ? threaded : threaded.filter((_, index) => index % oneOf === 0))(
    '$name: each turn has the usage of its trace and the question of the user',
    async (recording) => {
      const project_id = app.newProject()
      const { traces } = recording.expected
      await sendTo(project_id, recording)
      const threads = await threadsOf(project_id)
      const sort_by = [{ field: 'started_at', direction: 'asc' as const }]
      const sent = await listed(app.client.calls.streamQuery({ project_id, sort_by, columns: ['trace_id'] }))
      const asked = new Map([...new Set(sent.map(({ trace_id }) => trace_id))].map((id, at) => [id, askedOf(traces[at]!)]))
      const expected = traces.filter(({ thread }) => thread !== undefined)
      expect(threads.map(({ thread_id }) => thread_id)).toEqual(expect.arrayContaining([...new Set(expected.map(({ thread }) => thread))]))
      for (const { thread_id, turn_count, first_turn_id, start_time } of threads) {
        const turns = await turnsOf(project_id, thread_id)
        expect(turns).toHaveLength(turn_count)
        expect(turns[0]).toMatchObject({ id: first_turn_id, started_at: start_time })
        const trace_ids = turns.map(({ trace_id }) => trace_id)
        const { traces: totals } = await app.client.calls.traceTotals({ project_id, start: null, trace_ids })
        expect(turns.map(({ trace_id, tokens, cost }) => ({ trace_id, tokens, cost })).toSorted(byTrace)).toEqual(
          totals.map(({ trace_id, tokens, cost }) => ({ trace_id, tokens, cost })).toSorted(byTrace),
        )
        for (const { input, output, exception, trace_id } of turns) {
          const calls = await listed(app.client.calls.streamQuery({ project_id, filter: { trace_ids: [trace_id] } }))
          const isSpoken = calls.some((call) => readConversation(call).input.length > 0)
          const isAnswered = exception === null && calls.some((call) => readConversation(call).output.length > 0)
          const isLost = (text: string) => !JSON.stringify(input).includes(text)
          const lost = [
            ...(asked.get(trace_id) ?? []).filter(isLost),
            ...(isSpoken && input.length === 0 ? ['input'] : []),
            ...(isAnswered && output.length === 0 ? ['output'] : []),
          ]
          expect({ trace_id, lost }).toEqual({ trace_id, lost: [] })
        }
      }
    },
  )
})

const byTrace = (one: { trace_id: string }, other: { trace_id: string }) => (one.trace_id < other.trace_id ? -1 : 1)
