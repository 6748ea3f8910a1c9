import { readCost, readUsage, settleTrace, type TraceNode } from '@heddle/trace-model'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, findCalls, newId, record } from '../../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

const second = 1_000_000_000n
const from = BigInt(Date.now()) * 1_000_000n - 3_600n * second
/** When `known` becomes dearer: between its two calls in one trace. */
const change = from + (3n * second) / 2n
const timeOf = (nanos: bigint) => new Date(Number(nanos / 1_000_000n)).toISOString()
const hex = (length: number) => Array.from({ length }, () => Math.floor(Math.random() * 16).toString(16)).join('')

let app: TestApp
let project_id: string
/** What each trace costs, written down from what the spans say. */
let expected: Map<string, number | null>

beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  const price = { prompt_token_cost: 0.001, completion_token_cost: 0.002, cache_read_input_token_cost: 0.0001 }
  const known = { ...price, cache_creation_input_token_cost: 0.00125, effective_date: '2020-01-01' }
  await app.client.costs.create({ project_id, costs: { known } })
  const doubled = { prompt_token_cost: 0.002, completion_token_cost: 0.004, cache_read_input_token_cost: 0.0002 }
  await app.client.costs.create({ project_id, costs: { known: { ...doubled, effective_date: timeOf(change) } } })
  const later = { prompt_token_cost: 100, completion_token_cost: 100, effective_date: timeOf(from + 86_400n * second) }
  await app.client.costs.create({ project_id, costs: { known: later } })
  expected = new Map()
  const spans: object[] = []
  const send = (traceId: string, attributes: Record<string, string | number>, parent?: string) => {
    const spanId = hex(16)
    const at = from + BigInt(spans.length) * second
    spans.push({
      traceId,
      spanId,
      ...(parent !== undefined && { parentSpanId: parent }),
      name: 'step',
      startTimeUnixNano: String(at),
      endTimeUnixNano: String(at + second / 2n),
      attributes: Object.entries({ 'session.id': 'talk', ...attributes }).map(([key, value]) => ({
        key,
        value:
          typeof value === 'string'
            ? { stringValue: value }
            : Number.isInteger(value)
              ? { intValue: String(value) }
              : { doubleValue: value },
      })),
    })
    return spanId
  }
  const chat = (model: string, input: number, output: number, more: Record<string, string | number> = {}) => ({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': model,
    'gen_ai.usage.input_tokens': input,
    'gen_ai.usage.output_tokens': output,
    ...more,
  })

  const agent = hex(32)
  const root = send(agent, { ...chat('known', 3000, 30), 'gen_ai.operation.name': 'invoke_agent', 'operation.cost': 99 })
  send(agent, chat('openai/known-2025-01-02', 1000, 10, { 'gen_ai.usage.cost': 77 }), root)
  send(agent, chat('known', 2000, 20, { 'gen_ai.usage.cache_read.input_tokens': 500 }), root)
  expected.set(agent, 1 + 0.02 + 2 * (1.5 + 0.05 + 0.04))

  const carried = hex(32)
  const run = send(carried, { 'gen_ai.operation.name': 'invoke_agent', 'operation.cost': 5 })
  send(carried, chat('strange', 100, 10, { 'gen_ai.usage.cost': 0.25 }), run)
  send(carried, chat('strange', 100, 10), run)
  send(carried, { 'openinference.span.kind': 'LLM', 'llm.model_name': 'painter', 'llm.cost.total': 0.04 }, run)
  expected.set(carried, 0.29)

  const unknown = hex(32)
  send(unknown, chat('strange', 100, 10))
  expected.set(unknown, null)

  const body = { resourceSpans: [{ scopeSpans: [{ scope: { name: 'one' }, spans }] }] }
  expect((await sendRaw(app, { path: '/otel/v1/traces', body, headers: { project_id } })).status).toBe(200)

  // A tracing client passes on the usage of a provider whose input excludes cached tokens, and adds calls up in their parent.
  const trace_id = newId()
  const parent = newId()
  const usage = {
    known: { requests: 1, input_tokens: 100, output_tokens: 10, cache_read_input_tokens: 40, cache_creation_input_tokens: 8 },
  }
  const times = { started_at: timeOf(from), ended_at: new Date().toISOString() }
  await record(
    app.client,
    aCall({ project_id, trace_id, id: parent, ...times, summary: { usage } }),
    aCall({ project_id, trace_id, parent_id: parent, ...times, summary: { usage } }),
  )
  expected.set(trace_id, 0.1 + 0.02 + 0.004 + 0.01)
})
afterAll(() => app.close())

const start = () => new Date(Date.now() - 86_400_000).toISOString()
const sum = (costs: Iterable<number | null>) => [...costs].reduce<number>((all, cost) => all + (cost ?? 0), 0)
const close = (cost: number) => expect.closeTo(cost, 9) as number

test('each trace costs what its calls cost where a model was called, or what they carry where no price is known', async () => {
  const { traces } = await app.client.calls.traceTotals({ project_id, start: start() })
  const found = new Map(traces.map(({ trace_id, cost }) => [trace_id, cost]))
  expect(found).toEqual(new Map([...expected].map(([id, cost]) => [id, cost === null ? null : close(cost)])))
  expect(traces.map(({ reported_uses, unpriced_uses }) => [reported_uses, unpriced_uses]).sort()).toEqual([
    [0, 0],
    [0, 0],
    [0, 1],
    [2, 1],
  ])
  const costly = await app.client.calls.traceTotals({ project_id, start: start(), min_cost: 0.2 })
  expect(costly.traces).toHaveLength(2)
})

test('groups of any kind, statistics over time and the list of projects add up to the same', async () => {
  const all = close(sum(expected.values()))
  for (const group_by of ['model', 'op', 'user', 'thread'] as const) {
    const { groups } = await app.client.calls.usageTotals({ project_id, start: start(), group_by })
    expect(sum(groups.map(({ cost }) => cost))).toEqual(all)
    expect(sum(groups.map(({ reported_uses }) => reported_uses))).toBe(2)
    expect(sum(groups.map(({ unpriced_uses }) => unpriced_uses))).toBe(2)
  }
  const filter = { trace_roots_only: true }
  const stats = await app.client.calls.stats({ project_id, start: start(), filter, usage_metrics: [{ metric: 'total_cost' }] })
  expect(sum(stats.usage_buckets.map((bucket) => (bucket as { sum_total_cost: number }).sum_total_cost))).toEqual(all)
  expect(stats.unpriced_usage).toEqual({ strange: 2 })
  const { projects } = await app.client.projects.query({ contains: project_id.split('/')[1] ?? '' })
  expect(projects).toMatchObject([{ id: project_id, cost_7d: all, unpriced_7d: 2 }])
})

test('the calls themselves, counted by the rule of traces, say the same, name the price, and mark costs that are their own', async () => {
  const calls = await findCalls(app.client, { project_id, include_costs: true })
  const kinds = (call: (typeof calls)[number]) => JSON.stringify(call.attributes)
  for (const [trace_id, cost] of expected) {
    const own = calls.filter((call) => call.trace_id === trace_id)
    const nodes = own.map((call): TraceNode => ({
      id: call.id,
      parentId: call.parent_id ?? null,
      startedAt: Date.parse(call.started_at),
      endedAt: null,
      status: 'success',
      isModelCall: !kinds(call).includes('invoke_agent'),
      scope: null,
      responseId: null,
      wire: kinds(call).includes('otel_span') ? 'otlp' : 'client',
      threadId: null,
      usage: readUsage(call.summary),
    }))
    const marks = settleTrace(nodes)?.marks
    const counted = own.flatMap((call) =>
      (marks?.get(call.id)?.counted ?? []).map(({ model }) => readCost(call.summary, model)?.cost ?? null),
    )
    expect(sum(counted)).toEqual(close(cost ?? 0))
  }
  const details = calls.map(({ summary }) => (summary as { weave?: { cost_details?: object } }).weave?.cost_details).filter(Boolean)
  const token_prices = { prompt: 0.001, completion: 0.002, cache_read_input: 0.0001, cache_creation_input: 0.00125 }
  expect(details).toContainEqual({ 'openai/known-2025-01-02': { cost: close(1.02), priced_as: 'known', source: 'price', token_prices } })
  expect(details).toContainEqual({ strange: { cost: 0.25, priced_as: null, source: 'reported' } })
})

test('a trace that began before the end of a range costs what all of its calls do, also where it is named', async () => {
  const [agent] = expected.keys()
  const cost = close(expected.get(agent ?? '') ?? 0)
  const early = await app.client.calls.traceTotals({ project_id, start: start(), end: timeOf(change), min_cost: 1 })
  expect(early.traces).toMatchObject([{ trace_id: agent, cost }])
  const named = await app.client.calls.traceTotals({ project_id, trace_ids: [agent ?? ''] })
  expect(named.traces).toMatchObject([{ trace_id: agent, cost }])
})

test('a group of one model adds up what its calls cost before and after a change of its price', async () => {
  const { groups } = await app.client.calls.usageTotals({ project_id, start: start(), group_by: 'model' })
  const known = groups.filter(({ key }) => key === 'known')
  expect(known).toMatchObject([{ uses: 2, input_tokens: 2148, cost: close(2 * (1.5 + 0.05 + 0.04) + 0.134) }])
})
