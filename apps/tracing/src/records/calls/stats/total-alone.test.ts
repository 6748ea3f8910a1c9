import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCall, newId, readCall, record } from '../../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp } from '../../../testing/start-test-app.ts'

let app: TestApp
let project_id: string
const range = { start: '2026-03-01T00:00:00Z', end: '2026-03-02T00:00:00Z' }
const [alone, parts, reported, whole] = [newId(), newId(), newId(), newId()]

beforeAll(async () => {
  app = await startTestApp()
  project_id = app.newProject()
  const price = { prompt_token_cost: 1, completion_token_cost: 10, effective_date: '2026-01-01' }
  await app.client.costs.create({ project_id, costs: { m: price, only: price } })
  const call = (id: string, usage: object) => aCall({ project_id, id, trace_id: id, op_name: id, summary: { usage: usage as never } })
  await record(
    app.client,
    call(alone, { m: { requests: 1, total_tokens: 50 } }),
    call(parts, { m: { requests: 1, prompt_tokens: 10, completion_tokens: 2, total_tokens: 12 } }),
    call(reported, { m: { requests: 1, total_tokens: 7, cost: 0.25 } }),
    call(whole, { only: { requests: 1, total_tokens: 9 } }),
  )
})
afterAll(() => app.close())

interface Bucket {
  model: string
  sum_total_cost: number
  sum_total_tokens: number
  unpriced_uses?: number
}

async function stats(more: object) {
  const usage_metrics = [{ metric: 'total_cost' as const }, { metric: 'total_tokens' as const }]
  const { usage_buckets, unpriced_usage, reported_usage } = await app.client.calls.stats({
    project_id,
    ...range,
    granularity: 86_400,
    usage_metrics,
    ...more,
  })
  const buckets = (usage_buckets as unknown as Bucket[]).map((one) => [
    one.model,
    [one.sum_total_tokens, one.sum_total_cost, one.unpriced_uses],
  ])
  return { buckets: Object.fromEntries(buckets) as Record<string, unknown>, unpriced_usage, reported_usage }
}

test.each([{ filter: { trace_roots_only: true } }, { counted_usage: true }])(
  'of %j a total alone has tokens and no price, and a cost that it carries is its cost',
  async (more) => {
    expect(await stats(more)).toEqual({
      buckets: { m: [69, 30.25, 1], only: [9, 0, 1] },
      unpriced_usage: { m: 1, only: 1 },
      reported_usage: { m: 1 },
    })
  },
)

test('of what calls report, a total alone is an unpriced use', async () => {
  expect(await stats({})).toEqual({
    buckets: { m: [69, 30, undefined], only: [9, 0, undefined] },
    unpriced_usage: { m: 2, only: 1 },
    reported_usage: undefined,
  })
})

test('totals of models and traces, the project and calls know no cost of a total alone', async () => {
  const { groups } = await app.client.calls.usageTotals({ project_id, ...range, group_by: 'model' })
  expect(groups).toMatchObject([
    { key: 'm', uses: 3, input_tokens: 10, output_tokens: 2, total_tokens: 69, cost: 30.25, unpriced_uses: 1, reported_uses: 1 },
    { key: 'only', uses: 1, input_tokens: 0, output_tokens: 0, total_tokens: 9, cost: null, unpriced_uses: 1 },
  ])
  const { traces } = await app.client.calls.traceTotals({ project_id, ...range })
  expect(Object.fromEntries(traces.map((one) => [one.trace_id, [one.tokens, one.cost, one.unpriced_uses, one.reported_uses]]))).toEqual({
    [alone]: [50, null, 1, 0],
    [parts]: [12, 30, 0, 0],
    [reported]: [7, 0.25, 0, 1],
    [whole]: [9, null, 1, 0],
  })
  const { call } = await app.client.calls.read({ project_id, id: reported, include_costs: true })
  expect(call?.summary).toMatchObject({ weave: { cost_details: { m: { cost: 0.25, source: 'reported' } } } })
  expect((await readCall(app.client, { project_id, id: alone })).summary).not.toMatchObject({ weave: { cost_details: expect.anything() } })
})

test('a model that was used by totals alone makes no trace cost 0', async () => {
  const { traces } = await app.client.calls.traceTotals({ project_id, trace_ids: [whole] })
  expect(traces).toMatchObject([{ tokens: 9, cost: null, unpriced_uses: 1 }])
})

test.each(['reported', 'counted'] as const)(
  'trials of an evaluation whose model tells a total alone have no cost (%s usage)',
  async (usage) => {
    const project = app.newProject()
    await app.client.costs.create({ project_id: project, costs: { m: { prompt_token_cost: 1, completion_token_cost: 10 } } })
    const [root, trace_id, trial] = [newId(), newId(), newId()]
    const common = { project_id: project, trace_id }
    const output = { output: 1, scores: { exact: true } }
    await record(
      app.client,
      aCall({ ...common, id: root, op_name: 'Evaluation.evaluate' }),
      aCall({
        ...common,
        id: trial,
        parent_id: root,
        op_name: 'Evaluation.predict_and_score',
        inputs: { model: 'model', example: { row: 1 } },
        output,
      }),
      aCall({ ...common, parent_id: trial, op_name: 'Model.predict', summary: { usage: { m: { total_tokens: 30 } } } }),
    )
    const [entity = '', name = ''] = project.split('/')
    const results = await app.client.evalResults.query({
      entity,
      project: name,
      evaluation_call_ids: [root],
      include_summary: true,
      include_costs: true,
      usage,
    })
    expect(results.rows[0]?.evaluations[0]?.trials[0]).toMatchObject({ total_tokens: 30, total_cost: null })
    expect(results.summary?.evaluations[0]).toMatchObject({ predict_total_tokens: 30, predict_total_cost: null })
  },
)
