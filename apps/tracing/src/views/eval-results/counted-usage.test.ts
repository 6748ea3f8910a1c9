import type { ProjectScope } from '@heddle/identity'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCall, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { evaluationsIn, trialOf } from '../../domain/evaluation-calls/testing/evaluations-in.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { maxCountedCalls, readCountedUsage } from './trials/counted-usage.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const hex = (bytes: number) => Array.from({ length: bytes * 2 }, () => Math.floor(Math.random() * 16).toString(16)).join('')
async function* noSpans(): AsyncGenerator<never[]> {}

const at = (second: number) => `2026-03-01T00:00:${String(second).padStart(2, '0')}Z`
const started = Date.parse(at(0))

interface SentSpan {
  id: string
  parent: string
  operation: 'chat' | 'invoke_agent'
  tokens: [number, number]
  scope?: string
}

async function sendSpans(project_id: string, traceId: string, spans: readonly SentSpan[]): Promise<void> {
  const scopeSpans = spans.map(({ id, parent, operation, tokens: [input, output], scope = 'one' }) => ({
    scope: { name: scope },
    spans: [
      {
        traceId,
        spanId: id,
        parentSpanId: parent,
        name: operation,
        startTimeUnixNano: `${started + 3_000}000000`,
        endTimeUnixNano: `${started + 4_000}000000`,
        attributes: [
          { key: 'gen_ai.operation.name', value: { stringValue: operation } },
          { key: 'gen_ai.request.model', value: { stringValue: 'priced' } },
          { key: 'gen_ai.usage.input_tokens', value: { intValue: String(input) } },
          { key: 'gen_ai.usage.output_tokens', value: { intValue: String(output) } },
        ],
      },
    ],
  }))
  const bytes = Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans }] }))
  await app.client.otel.exportTrace({ 'project-id': project_id, content_type: 'application/json', bytes })
}

/** An evaluation of two trials, whose models are called by programs that send spans: one through an agent and two instrumentations. */
async function recordEvaluation() {
  const project_id = app.newProject()
  const price = { prompt_token_cost: 1, completion_token_cost: 10, effective_date: '2026-01-01' }
  await app.client.costs.create({ project_id, costs: { priced: price } })
  const trace_id = hex(16)
  const root = newId()
  const common = { project_id, trace_id, ended_at: at(9) }
  await record(app.client, aCall({ ...common, id: root, started_at: at(0), op_name: 'Evaluation.evaluate' }))
  const trial = async (row: number, own: NonNullable<NonNullable<Parameters<typeof aCall>[0]>['summary']>) => {
    const [id, predict] = [newId(), hex(8)]
    const inputs = { model: 'model', example: { row } }
    const output = { output: row, scores: { exact: true } }
    await record(
      app.client,
      aCall({ ...common, id, parent_id: root, started_at: at(1), op_name: 'Evaluation.predict_and_score', inputs, output }),
      aCall({ ...common, id: predict, parent_id: id, started_at: at(2), op_name: 'Model.predict', inputs: {}, summary: own }),
      aCall({ ...common, parent_id: id, started_at: at(5), op_name: 'judge.score', summary: { usage: { priced: { prompt_tokens: 7 } } } }),
    )
    return { id, predict }
  }
  const reported = await trial(1, { usage: { priced: { prompt_tokens: 20, completion_tokens: 2, total_tokens: 22 } } })
  const silent = await trial(2, {})
  const [agent, gateway] = [hex(8), hex(8)]
  await sendSpans(project_id, trace_id, [
    { id: agent, parent: silent.predict, operation: 'invoke_agent', tokens: [900, 90] },
    { id: gateway, parent: agent, operation: 'chat', tokens: [100, 10], scope: 'gateway' },
    { id: hex(8), parent: gateway, operation: 'chat', tokens: [100, 10], scope: 'provider' },
    { id: hex(8), parent: reported.predict, operation: 'chat', tokens: [5, 1] },
  ])
  const [entity = '', project = ''] = project_id.split('/')
  const query = (usage: 'reported' | 'counted', more: object = {}) =>
    app.client.evalResults.query({
      entity,
      project,
      evaluation_call_ids: [root],
      include_summary: true,
      include_costs: true,
      usage,
      ...more,
    })
  return { project_id, trace_id, root, silent, reported, query }
}

type Results = Awaited<ReturnType<Awaited<ReturnType<typeof recordEvaluation>>['query']>>

const numbersOf = ({ rows, summary, warnings }: Results) => ({
  trials: Object.fromEntries(
    rows
      .flatMap(({ evaluations }) => evaluations.flatMap(({ trials }) => trials))
      .map((trial) => [trial.predict_and_score_call_id, [trial.total_tokens, trial.total_cost]]),
  ),
  summary: [summary?.evaluations[0]?.predict_total_tokens, summary?.evaluations[0]?.predict_total_cost],
  warnings,
})

test('counted tokens of a trial are those that count at and below its predict call, no matter who sent them', async () => {
  const { query, reported, silent } = await recordEvaluation()
  expect(numbersOf(await query('reported'))).toEqual({
    trials: { [reported.id]: [22, 40], [silent.id]: [null, null] },
    summary: [22, 40],
    warnings: [],
  })
  expect(numbersOf(await query('counted'))).toEqual({
    trials: { [reported.id]: [28, 55], [silent.id]: [110, 200] },
    summary: [138, 255],
    warnings: [],
  })
})

test('counted tokens of whole trials are the total of their trace', async () => {
  const { project_id, trace_id, query, reported, silent } = await recordEvaluation()
  const whole = numbersOf(await query('counted', { include_predict_and_score_children: false }))
  const { traces } = await app.client.calls.traceTotals({ project_id, start: null, trace_ids: [trace_id] })
  expect(whole.trials).toEqual({ [reported.id]: [35, 62], [silent.id]: [117, 207] })
  expect(whole.summary).toEqual([traces[0]?.tokens, traces[0]?.cost])
})

test('what is deleted below a predict call counts no more, and an evaluation that is not there has no rows', async () => {
  const { project_id, query, silent, reported } = await recordEvaluation()
  await app.client.calls.delete({ project_id, call_ids: [silent.predict] })
  expect(numbersOf(await query('counted')).trials).toEqual({ [reported.id]: [28, 55], [silent.id]: [7, 7] })
  expect(await query('counted', { evaluation_call_ids: [newId()] })).toMatchObject({ rows: [], warnings: [] })
})

test('evaluations whose traces have too many calls together are left out, with a warning for each', async () => {
  const calls = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ id: `${at}`, parentId: null, startedAt: at, endedAt: null, may_name_spans: false }))
  const sizes = [maxCountedCalls + 1, maxCountedCalls, maxCountedCalls, maxCountedCalls, 1]
  const store = {
    roots: async () =>
      sizes.map((_, at) => ({ id: `run-${at}`, trace_id: `${at}`, display_name: '', started_at: 0, self: '', this: '', model: '' })),
    traceUsage: async (_project: unknown, [traceId]: readonly string[], most: number) => {
      const size = sizes[Number(traceId)] ?? 0
      return size > most ? undefined : { calls: calls(size), usage: [] }
    },
    namedSpans: noSpans,
  }
  const { counted, warnings } = await readCountedUsage(store, { id: 'e/p' } as ProjectScope, [])
  expect(warnings).toEqual([
    `Tokens and costs of evaluation run-0 are as its calls report them: its trace has more than ${maxCountedCalls} calls`,
    'Tokens and costs of evaluation run-4 are as its calls report them: the evaluations together have more than 60000 calls',
  ])
  expect(counted.of({ trialId: '0', predictId: null })).toEqual({ tokens: 0, usage: [] })
  expect([counted.of({ trialId: 'none', predictId: null }), counted.has('none'), counted.has('0')]).toEqual([undefined, false, true])
})

describe('a prediction that names the spans of its model', () => {
  /** A run with predictions that were recorded after their model had been traced. */
  async function recordRun(spansOfPredictions: readonly { trace_id: string; span_id: string }[][]) {
    const project_id = app.newProject()
    await app.client.costs.create({
      project_id,
      costs: { priced: { prompt_token_cost: 1, completion_token_cost: 10, effective_date: '2026-01-01' } },
    })
    const ours = evaluationsIn(app.client, project_id)
    const run = await ours.startRun()
    const trials: string[] = []
    for (const [row, genai_span_ref] of spansOfPredictions.entries()) {
      const id = await ours.predict({ evaluation_run_id: run, inputs: { row }, output: row, genai_span_ref })
      await ours.finishPrediction(id)
      trials.push((await trialOf(ours, id)).id)
    }
    const query = async (more: object = {}) =>
      numbersOf(
        await app.client.evalResults.query({
          ...ours.place,
          evaluation_call_ids: [run],
          include_summary: true,
          include_costs: true,
          usage: 'counted',
          ...more,
        }),
      )
    return { project_id, trials, query }
  }

  test('has what counts at and below these spans, each once, whichever way results are read', async () => {
    const [trace, other] = [hex(16), hex(16)]
    const [agent, chat, alone] = [hex(8), hex(8), hex(8)]
    const inTrace = (span_id: string) => ({ trace_id: trace, span_id })
    const { project_id, trials, query } = await recordRun([
      [inTrace(agent), inTrace(chat), { trace_id: other, span_id: alone }],
      [inTrace(chat)],
      [{ trace_id: hex(16), span_id: hex(8) }],
    ])
    await sendSpans(project_id, trace, [
      { id: agent, parent: '', operation: 'invoke_agent', tokens: [900, 90] },
      { id: chat, parent: agent, operation: 'chat', tokens: [100, 10] },
    ])
    await sendSpans(project_id, other, [{ id: alone, parent: '', operation: 'chat', tokens: [5, 1] }])
    const [first = '', second = '', third = ''] = trials
    const counted = { trials: { [first]: [116, 215], [second]: [110, 200], [third]: [null, null] }, summary: [226, 415], warnings: [] }
    expect(await query()).toEqual(counted)
    expect(await query({ include_predict_and_score_children: false })).toEqual(counted)
    expect((await query({ usage: 'reported' })).summary).toEqual([null, null])
    const { traces } = await app.client.calls.traceTotals({ project_id, start: null, trace_ids: [trace, other] })
    expect(traces.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0)).toBe(116)
  })

  test('of spans whose traces are too large, or of too many spans, has nothing, with a warning', async () => {
    const spans = (count: number) => JSON.stringify(Array.from({ length: count }, (_, at) => ({ trace_id: `t${at}`, span_id: `${at}` })))
    const read = async (named: number, most: number) => {
      const store = {
        roots: async () => [{ id: 'run', trace_id: 'own', display_name: '', started_at: 0, self: '', this: '', model: '' }],
        traceUsage: async (_project: unknown, ids: readonly string[], limit: number) => {
          if (ids.length > 1 && limit < most) return undefined
          const call = { id: 'trial', parentId: null, startedAt: 0, endedAt: 1, may_name_spans: true }
          return { calls: ids[0] === 'own' ? [call] : [], usage: [] }
        },
        async *namedSpans() {
          yield [{ id: 'trial', in_attributes: spans(named), in_summary: '' }]
        },
      }
      return (await readCountedUsage(store, { id: 'e/p' } as ProjectScope, [])).warnings
    }
    expect(await read(2, 59_999)).toEqual([])
    expect(await read(2, 60_000)).toEqual([
      'Tokens and costs of the spans that predictions name are missing: there are more than 60000 calls with them',
    ])
    expect(await read(60_001, 0)).toEqual([
      'Tokens and costs of the spans that evaluation run names are missing: there are more than 60000',
    ])
  })
})
