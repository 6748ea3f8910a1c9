import { isDeepStrictEqual } from 'node:util'
import type { Call, EvalResults } from '@heddle/core-api/types'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { readCalls } from './testing/call-tree.ts'
import { recomputeStats, recomputeTrials } from './testing/recompute-results.ts'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

let server: ServerUnderTest
let place: { entity: string; project: string }
let calls: Call[]
/** Root calls: two declared evaluations, then two logged ones. */
let roots: Call[]
let results: EvalResults
let rows: { digest: string; val: unknown }[]
beforeAll(async () => {
  server = await startServer()
  const project_id = server.newProject()
  const [entity = '', project = ''] = project_id.split('/')
  place = { entity, project }
  await runProgram({
    name: 'js-evaluations.mjs',
    args: [project_id],
    env: { WF_TRACE_SERVER_URL: server.url, WANDB_API_KEY: server.apiKey },
    timeLimitMs: 60_000,
  })
  calls = await readCalls(server, project_id)
  roots = calls.filter(({ parent_id }) => parent_id === null)
  results = await server.client.evalResults.query({ ...place, ...query() })
  const [dataset] = await gather(server.client.datasets.list(place))
  rows = (await server.client.tables.query({ project_id, digest: dataset?.rows.split('/').at(-1) ?? '' })).rows
}, 120_000)
afterEach(() => expect(server.failures).toEqual([]))
afterAll(() => server.close())

const query = () => ({
  evaluation_call_ids: roots.map(({ id }) => id),
  include_summary: true,
  include_raw_data_rows: true,
  resolve_row_refs: true,
})

async function gather<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const line of lines) all.push(line)
  return all
}

const digestOf = (row: unknown) => rows.find(({ val }) => isDeepStrictEqual(val, row))?.digest ?? 'of no row'
const trialsOf = (root: Call) => recomputeTrials(calls, root.id, digestOf)

test('two declared and two logged evaluations are there', () => {
  expect(roots.map((root) => trialsOf(root).length)).toEqual([9, 6, 2, 6])
  expect(rows).toHaveLength(3)
})

test('the results are the rows of the dataset with the trials of each evaluation, each number as the calls give it', () => {
  const expected = rows
    .toSorted((a, b) => (a.digest < b.digest ? -1 : 1))
    .map(({ digest, val }) => ({
      row_digest: digest,
      raw_data_row: val,
      evaluations: roots.flatMap((root) => {
        const trials = trialsOf(root).flatMap((each) => (each.digest === digest ? [each.trial] : []))
        return trials.length === 0 ? [] : [{ evaluation_call_id: root.id, trials }]
      }),
    }))
  expect(results).toMatchObject({ rows: expected, total_rows: 3, warnings: [] })
})

test('a row that failed has a trial without output and scores', () => {
  const [, flaky] = roots
  const failed = results.rows.flatMap(({ evaluations }) =>
    evaluations
      .flatMap(({ evaluation_call_id, trials }) => (evaluation_call_id === flaky?.id ? trials : []))
      .filter(({ model_output }) => model_output === null),
  )
  expect(failed).toHaveLength(2)
  for (const { scores, scorer_call_ids, predict_call_id } of failed) {
    expect({ scores, scorer_call_ids }).toEqual({ scores: {}, scorer_call_ids: {} })
    expect(calls.find(({ id }) => id === predict_call_id)?.exception).toContain('cannot answer')
  }
})

test('the summary says of each evaluation what its trials add up to, and names it', () => {
  expect(results.summary?.row_count).toBe(3)
  const evaluations = results.summary?.evaluations ?? []
  expect(evaluations.map(({ evaluation_call_id }) => evaluation_call_id).toSorted()).toEqual(roots.map(({ id }) => id).toSorted())
  for (const root of roots) {
    const trials = trialsOf(root).map(({ trial }) => trial)
    const tokens = trials.flatMap(({ total_tokens }) => total_tokens ?? [])
    const { scorer_stats = [], started_at, ...summary } = evaluations.find(({ evaluation_call_id }) => evaluation_call_id === root.id) ?? {}
    expect(new Map(scorer_stats.map((stats) => [`${stats.scorer_key} ${stats.path}`, stats]))).toEqual(recomputeStats(trials))
    expect(Date.parse(started_at ?? '')).toBe(Date.parse(root.started_at))
    expect(summary).toEqual({
      evaluation_call_id: root.id,
      trial_count: trials.length,
      predict_total_tokens: tokens.length === 0 ? null : tokens.reduce((a, b) => a + b),
      predict_total_cost: null,
      evaluation_ref: root.inputs['self'],
      model_ref: root.inputs['model'],
      display_name: root.display_name,
      trace_id: root.trace_id,
    })
  }
})

describe('what the client recorded is read as', () => {
  test('runs, which the list does not show', async () => {
    for (const { id, inputs } of roots) {
      expect(await server.client.evaluationRuns.read({ ...place, evaluation_run_id: id })).toMatchObject({
        evaluation: inputs['self'],
        model: inputs['model'],
        status: 'completed',
      })
    }
    expect(await gather(server.client.evaluationRuns.list(place))).toEqual([])
  })

  test('predictions and scores of those runs', async () => {
    for (const root of roots) {
      for (const { trial } of trialsOf(root)) {
        const prediction = await server.client.predictions.read({ ...place, prediction_id: trial.predict_call_id ?? '' })
        expect(prediction).toMatchObject({ output: trial.model_output, evaluation_run_id: root.id })
        for (const [name, score_id] of Object.entries(trial.scorer_call_ids)) {
          const score = await server.client.scores.read({ ...place, score_id })
          expect(score).toMatchObject({ value: trial.scores[name] ?? null, evaluation_run_id: root.id })
        }
      }
    }
  })

  test('trials that a finish here leaves as they are', async () => {
    for (const root of roots) {
      for (const { trial } of trialsOf(root))
        await server.client.predictions.finish({ ...place, prediction_id: trial.predict_call_id ?? '' })
      await server.client.evaluationRuns.finish({ ...place, evaluation_run_id: root.id })
    }
    expect(await readCalls(server, `${place.entity}/${place.project}`)).toEqual(calls)
  })
})
