import type { ScopedAnalytical } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aCall, aStart, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { type TrialGroup, trialGroups } from '../../query/results/summary-query.ts'
import { type RowTrial, trialsOfRows } from '../../query/results/trials-in.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { createProjectVisibility } from '../../deletions/visibility.ts'
import { nothingHidden } from '../../query/visible-records.ts'
import { sqlEvalResultsStore } from './eval-results-store.sql.ts'

const seesAll = { now: Date.now() * 1_000, hidden: nothingHidden }

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

let project_id: string
let evaluation: string
beforeEach(() => {
  project_id = app.newProject()
  evaluation = newId()
})

const place = (id: string) => {
  const [entity = '', project = ''] = id.split('/')
  return { entity, project }
}
const query = (request: object = {}) =>
  app.client.evalResults.query({ ...place(project_id), evaluation_call_ids: [evaluation], ...request })
const aTrial = (example: unknown, scores: object = {}, over: object = {}) =>
  aCall({
    project_id,
    parent_id: evaluation,
    op_name: 'Evaluation.predict_and_score',
    inputs: { example },
    output: { output: 'o', scores },
    ...over,
  })
const raw = (body: object, key?: string | null) =>
  sendRaw(app, { path: `/v2/${project_id}/eval_results/query`, body, ...(key !== undefined && { apiKey: key }) })

test('what is written after a query is in the next one', async () => {
  const [first, second] = [aTrial({ n: 1 }), aTrial({ n: 2 }, { s: 1 })]
  await record(app.client, first)
  expect(await query({ include_summary: true })).toMatchObject({ total_rows: 1, summary: { row_count: 1 } })
  await record(app.client, second)
  expect(await query({ include_summary: true })).toMatchObject({ total_rows: 2, summary: { row_count: 2 } })
  await app.client.calls.delete({ project_id, call_ids: [first.id] })
  expect(await query({ include_summary: true })).toMatchObject({ total_rows: 1, summary: { evaluations: [{ trial_count: 1 }] } })
})

test('a trial that is written again below another evaluation is in that one alone', async () => {
  const [moved, other] = [aTrial({ n: 1 }), newId()]
  await record(app.client, moved)
  await record(app.client, { ...moved, parent_id: other })
  expect(await query({ include_summary: true })).toMatchObject({ total_rows: 0, summary: { row_count: 0, evaluations: [] } })
  expect(await query({ evaluation_call_ids: [other], include_summary: true })).toMatchObject({
    rows: [{ evaluations: [{ evaluation_call_id: other, trials: [{ predict_and_score_call_id: moved.id }] }] }],
    summary: { evaluations: [{ trial_count: 1 }] },
  })
})

test('a call that is written again below another trial is of that one alone', async () => {
  const [one, other] = [aTrial({ n: 1 }), aTrial({ n: 2 })]
  const summary = { usage: { m: { total_tokens: 4 } } }
  const predict = aCall({ project_id, parent_id: one.id, op_name: 'predict', summary })
  await record(app.client, one, other, predict)
  await record(app.client, { ...predict, parent_id: other.id })
  const answer = await query({ include_summary: true })
  const trials = answer.rows.flatMap(({ evaluations }) => evaluations.flatMap((entry) => entry.trials))
  expect(new Map(trials.map((trial) => [trial.predict_and_score_call_id, trial.predict_call_id]))).toEqual(
    new Map([
      [one.id, null],
      [other.id, predict.id],
    ]),
  )
  expect(answer.summary?.evaluations).toMatchObject([{ predict_total_tokens: 4 }])
})

test('an empty id names no evaluation, and so not that of calls without a parent', async () => {
  await record(app.client, aTrial({ n: 1 }, {}, { parent_id: null }), aCall({ project_id }))
  expect(await query({ evaluation_call_ids: [''], include_summary: true })).toMatchObject({
    rows: [],
    total_rows: 0,
    summary: { row_count: 0, evaluations: [] },
  })
})

test('a row of a dataset that is stored later is found by the next query', async () => {
  const rows = [{ n: 7, of: project_id }]
  const { row_digests } = await app.client.tables.create({ table: { project_id: app.newProject(), rows } })
  await record(app.client, aTrial(`weave:///${project_id}/object/ds:v/attr/rows/id/${row_digests[0]}`))
  const filters = [{ query: { $expr: { $eq: [{ $getField: 'inputs.n' }, { $literal: 7 }] } } }]
  expect(await query({ filters })).toMatchObject({ total_rows: 0 })
  await app.client.tables.create({ table: { project_id, rows } })
  expect(await query({ filters, include_raw_data_rows: true, resolve_row_refs: true })).toMatchObject({
    rows: [{ raw_data_row: { n: 7, of: project_id } }],
    warnings: [],
  })
})

test('subclasses of evaluations count, other calls below the root do not', async () => {
  const ops = ['My.predict_and_score', 'weave:///e/p/op/My.predictAndScore:v', 'Evaluation.summarize', 'predict_and_score']
  await record(app.client, ...ops.map((op_name, n) => aTrial({ n }, {}, { op_name })))
  expect((await query()).total_rows).toBe(2)
})

test('trials of a row come by their start and then their id', async () => {
  const ids = [newId(), newId(), newId()]
  const times = ['2026-03-01T00:00:02Z', '2026-03-01T00:00:01Z', '2026-03-01T00:00:01Z']
  await record(app.client, ...ids.map((id, at) => aTrial({ n: 1 }, {}, { id, started_at: times[at], ended_at: '2026-03-01T00:00:09Z' })))
  const [row] = (await query()).rows
  expect(row?.evaluations[0]?.trials.map((trial) => trial.predict_and_score_call_id)).toEqual([ids[1], ids[2], ids[0]])
})

test('numbers keep the form in which they were sent', async () => {
  const call = JSON.stringify(aTrial('EXAMPLE', { s: 'SCORE' }))
    .replace('"EXAMPLE"', '{"n":1.0}')
    .replace('"SCORE"', '12345678901234567890')
  await sendRaw(app, { path: `/v2/${project_id}/calls/complete`, body: `{"batch":[${call}]}` })
  const { text } = await raw({ evaluation_call_ids: [evaluation], include_raw_data_rows: true })
  expect(text).toContain('"raw_data_row":{"n":1.0}')
  expect(text).toContain('"scores":{"s":12345678901234567890}')
})

test('costs are those of the predict call, and null where no model has a price', async () => {
  const usage = { priced: { prompt_tokens: 10, completion_tokens: 5 } }
  const [one, other] = [aTrial({ n: 1 }, {}, { summary: { usage } }), aTrial({ n: 2 })]
  const predict = aCall({ project_id, parent_id: one.id, op_name: 'M.predict', summary: { usage } })
  const judge = aCall({ project_id, parent_id: one.id, op_name: 'judge.score', summary: { usage } })
  await record(app.client, one, other, predict, judge)
  await app.client.costs.create({ project_id, costs: { priced: { prompt_token_cost: 1, completion_token_cost: 2 } } })
  const answer = await query({ include_costs: true, include_summary: true })
  const costs = answer.rows.flatMap(({ evaluations }) => evaluations.flatMap(({ trials }) => trials.map((trial) => trial.total_cost)))
  expect(costs.toSorted()).toEqual([20, null])
  expect(answer.summary?.evaluations).toMatchObject([{ predict_total_cost: 20, predict_total_tokens: 15 }])
  expect((await query()).rows[0]?.evaluations[0]?.trials[0]?.total_cost).toBeNull()
})

test('a cost says at which price it is where its model has none under its own name, and which uses report it', async () => {
  await app.client.costs.create({ project_id, costs: { priced: { prompt_token_cost: 1, completion_token_cost: 2 } } })
  const usage = { 'openai/priced': { prompt_tokens: 10, completion_tokens: 5 } }
  const trials = [1, 2, 3].map((n) => aTrial({ n }, {}, { summary: {} }))
  const predicts = trials.map(({ id }) => aCall({ project_id, parent_id: id, op_name: 'M.predict', summary: { usage } }))
  await record(app.client, ...trials, ...predicts)
  const answer = await query({ include_costs: true, include_summary: true })
  const found = answer.rows.flatMap(({ evaluations }) => evaluations.flatMap((one) => one.trials))
  expect(found.map(({ total_cost, priced_as, reported_uses }) => [total_cost, priced_as, reported_uses])).toEqual(
    trials.map(() => [20, ['priced'], undefined]),
  )
  expect(answer.summary?.evaluations).toMatchObject([{ predict_total_cost: 60, priced_as: ['priced'] }])
  expect(answer.summary?.evaluations[0]).not.toHaveProperty('reported_uses')
})

test('a predict call that only its id names is counted in the summary too', async () => {
  const predictId = newId()
  const trial = aTrial({ n: 1 }, {}, { attributes: { weave: { predict_call_id: predictId } } })
  const step = aCall({ project_id, parent_id: trial.id, op_name: 'step', started_at: '2026-02-28T00:00:00Z' })
  const summary = { usage: { m: { total_tokens: 4 } } }
  await record(app.client, trial, step, aCall({ project_id, id: predictId, parent_id: trial.id, op_name: 'run', summary }))
  const answer = await query({ include_summary: true })
  expect(answer.rows[0]?.evaluations[0]?.trials).toMatchObject([{ predict_call_id: predictId, total_tokens: 4 }])
  expect(answer.summary?.evaluations).toMatchObject([{ predict_total_tokens: 4 }])
})

test('boolean scores equal true, 1 and the word', async () => {
  await record(app.client, aTrial({ n: 1 }, { ok: true }), aTrial({ n: 2 }, { ok: false }))
  const count = async (literal: unknown) =>
    (await query({ filters: [{ query: { $expr: { $eq: [{ $getField: 'scores.ok' }, { $literal: literal }] } } }] })).total_rows
  expect(await Promise.all([true, 1, '1', 'true', 'yes'].map(count))).toEqual([1, 1, 1, 1, 0])
})

test('references into projects that the caller may not see are hidden', async () => {
  const secret = app.newProject()
  const hidden = `weave:///${secret}/object/o:v`
  await record(
    app.client,
    aTrial({ ref: hidden }, { s: hidden }),
    aCall({ project_id, id: evaluation, op_name: 'Evaluation.evaluate', inputs: { self: hidden, model: hidden } }),
  )
  await app.client.objects.create({ obj: { project_id: secret, object_id: 'o', val: 1 } })
  const reader = await app.clientFor({ name: 'reader', role: 'admin', projects: [{ project_id, role: 'reader' }] })
  const answer = await reader.evalResults.query({
    ...place(project_id),
    evaluation_call_ids: [evaluation],
    include_raw_data_rows: true,
    include_summary: true,
  })
  expect(JSON.stringify(answer)).not.toContain(secret)
  expect(answer.summary?.evaluations[0]?.model_ref).toMatch(/^weave-private:/)
})

test('calls of other projects are not found by their ids', async () => {
  await record(app.client, aTrial({ n: 1 }))
  const elsewhere = await app.client.evalResults.query({
    ...place(app.newProject()),
    evaluation_call_ids: [evaluation],
    include_summary: true,
  })
  expect(elsewhere).toEqual({ rows: [], total_rows: 0, summary: { row_count: 0, evaluations: [] }, warnings: [] })
})

test.each([false, true])('trials are grouped by the calls below them, those of other calls aside (many trials: %s)', async (isLarge) => {
  const [one, like, other] = [aTrial({ n: 1 }, { s: 1 }), aTrial({ n: 2 }, { s: 2 }), aTrial({ n: 3 }, { s: 3 })]
  const below = (parent_id: string, op_name: string, tokens: number) =>
    aCall({ project_id, parent_id, op_name, summary: { usage: { m: { total_tokens: tokens } } } })
  await record(app.client, one, like, other, below(one.id, 'predict', 5), below(like.id, 'predict', 7), below(newId(), 'predict', 100))
  await record(app.client, below(other.id, 'predict', 11), below(other.id, 'step', 13))
  const trials = { project_id, visibility: seesAll, evaluations: [evaluation] }
  const groups = await app.stores.analytical.rows<TrialGroup>(trialGroups({ trials, rows: undefined, children: true, isLarge }))
  const numbers = groups.map(({ trials: count, sums, tokens_below }) => [count, sums, tokens_below[1].toSorted((a, b) => a - b)])
  expect(numbers.toSorted()).toEqual([
    [1, [3], [11, 13]],
    [2, [3], [12]],
  ])
})

test('the trials of rows are found by their starts, and without them where these are too many to name', async () => {
  const started_at = '2026-03-01T00:00:01Z'
  const trial = aTrial({ n: 1 }, {}, { started_at, ended_at: '2026-03-01T00:00:02Z' })
  await record(app.client, trial)
  const [row] = (await query()).rows
  const start = Date.parse(started_at) * 1_000
  const found = async (starts: number[]) => {
    const rows = [{ row_digest: row?.row_digest ?? '', starts, bytes: 0 }]
    const trials = { project_id, visibility: seesAll, evaluations: [evaluation] }
    return (await app.stores.analytical.rows<RowTrial>(trialsOfRows(trials, rows))).map(({ id }) => id)
  }
  expect(await found([start])).toEqual([trial.id])
  expect(await found([start + 1])).toEqual([])
  expect(await found(Array.from({ length: 200_001 }, (_, at) => at))).toEqual([trial.id])
})

test('a page of very many trials, which are read by their start, is that of small pages', { timeout: 120_000 }, async () => {
  const spans = { genai_span_ref: { trace_id: 't', span_id: 's' } }
  const most = { total_tokens: Number.MAX_SAFE_INTEGER }
  // Of some the columns tell too little.
  const more = (n: number) => {
    if (n % 100 === 7) return { attributes: { weave: spans } }
    if (n % 100 === 8) return { attributes: { weave: { predict_call_id: newId() } }, summary: { weave: spans } }
    if (n === 1_009) return { summary: { usage: { m: most, other: most } } }
    return {}
  }
  const trials = Array.from({ length: 2_100 }, (_, n) =>
    aTrial(
      { n: n % 1_500 },
      { s: n },
      { started_at: `2026-03-01T00:${String(n % 60).padStart(2, '0')}:00Z`, ended_at: '2026-03-01T02:00:00Z', ...more(n) },
    ),
  )
  const below = trials
    .slice(0, 20)
    .flatMap(({ id }) => [
      aCall({ project_id, parent_id: id, op_name: 'predict', summary: { usage: { m: { total_tokens: 7 } } } }),
      aCall({ project_id, parent_id: id, op_name: 'late.score', attributes: { weave: { score: 'true' } }, output: 0.5 }),
    ])
  await record(app.client, ...trials, ...below)
  const request = { include_raw_data_rows: true, sort_by: [{ field: 'scores.s', direction: 'desc' as const }] }
  const whole = await query(request)
  const offsets = [0, 250, 500, 750, 1_000, 1_250]
  const pages = await Promise.all(offsets.map((offset) => query({ ...request, limit: 250, offset })))
  expect([whole.total_rows, whole.rows.length]).toEqual([1_500, 1_500])
  expect(whole.rows).toEqual(pages.flatMap(({ rows }) => rows))
  const late = whole.rows.flatMap(({ evaluations }) =>
    evaluations.flatMap((entry) => entry.trials.filter((trial) => 'late' in trial.scores)),
  )
  expect(late.map(({ total_tokens }) => total_tokens)).toEqual(Array.from({ length: 20 }, () => 7))
  const found = whole.rows.flatMap(({ evaluations }) => evaluations.flatMap((entry) => entry.trials))
  expect(found.filter(({ genai_span_ref }) => genai_span_ref?.[0]?.span_id === 's')).toHaveLength(42)
  expect(found.filter(({ total_tokens }) => total_tokens === 2 * Number.MAX_SAFE_INTEGER)).toHaveLength(1)
})

test('rows with too many trials are refused before any trial is read', async () => {
  const rows = Array.from({ length: 26 }, (_, n) => ({
    row_digest: `d${n}`,
    starts: Array.from({ length: 10_000 }, () => n),
    bytes: 0,
    total: 26,
  }))
  const answering = {
    of: () => ({
      blocks: async function* () {
        yield rows
      },
    }),
  } as unknown as ScopedAnalytical
  const input = { evaluations: [evaluation], isWhole: false, sort_by: [], filters: [], filter_logic_operator: null }
  const asked = sqlEvalResultsStore(
    answering,
    createProjectVisibility({ deletions: { hiddenIn: async () => new Map() }, clock: () => 0 }),
  ).rows({ id: project_id } as ProjectScope, input, { limit: null, offset: 0 })
  await expect(asked).rejects.toMatchObject({ status: 413, message: expect.stringContaining('limit and offset') as string })
})

test('a call that has only ended is not a trial', async () => {
  const started = aStart({ project_id, parent_id: evaluation, op_name: 'Evaluation.predict_and_score', inputs: { example: 1 } })
  await app.client.calls.start({ start: started })
  await app.client.calls.end({ end: { project_id, id: newId(), ended_at: '2026-03-01T00:00:01Z', summary: {} } })
  expect((await query()).rows).toMatchObject([{ evaluations: [{ trials: [{ model_output: null, scores: {} }] }] }])
})

test.each([
  [422, { evaluation_call_ids: [] }],
  [422, { evaluation_call_ids: 'x' }],
  [422, { evaluation_call_ids: [1] }],
  [422, { sort_by: [{ field: 'scores.a', unknown: 1 }] }],
  [422, { filters: [{ query: { $expr: { $near: [] } } }] }],
  [422, { filters: [{ query: { $expr: { $eq: [{ $getField: 'scores.a' }, { $literal: 1 }] } }, unknown: 1 }] }],
  [422, { filter_logic_operator: 'xor' }],
  [422, { sort_by: [{ field: 'inputs.-1' }] }],
  [400, { limit: -1 }],
  [400, { sort_by: [{ field: 'scores' }] }],
  [400, { sort_by: [{ field: 'inputs.a', mode: 'difference' }] }],
  [400, { filters: [{ query: { $expr: { $and: [] } } }] }],
  [400, { filters: [{ query: { $expr: { $eq: [{ $getField: 'scoresx.a' }, { $literal: 1 }] } } }] }],
  [200, { newer_field: 1, evaluation_call_ids: null, evaluation_run_ids: ['\0'] }],
])('%i for %j', async (status, request) => {
  expect((await raw({ evaluation_call_ids: [evaluation], ...request })).status).toBe(status)
})

test('nothing is returned without a key', async () => {
  expect((await raw({ evaluation_call_ids: [evaluation] }, null)).status).toBe(401)
})
