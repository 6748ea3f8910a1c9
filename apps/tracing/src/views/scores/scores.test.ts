import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aCall, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { type Evaluations, evaluationsIn, opOf } from '../../domain/evaluation-calls/testing/evaluations-in.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
let ours: Evaluations
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())
beforeEach(() => {
  ours = evaluationsIn(app.client, app.newProject())
})

const feedback = async () => (await app.client.feedback.query({ project_id: ours.project_id })).result

describe('a score in a run', () => {
  test('is a finished call beside the prediction', async () => {
    const run = await ours.startRun()
    const prediction_id = await ours.predict({ evaluation_run_id: run, inputs: { x: 1 }, output: 'o' })
    const id = await ours.score({ prediction_id, value: 0.9, evaluation_run_id: run })
    const call = await ours.call(id)
    expect(call).toMatchObject({ parent_id: (await ours.call(prediction_id)).parent_id, trace_id: run, output: 0.9, wb_user_id: 'tester' })
    expect(call.inputs).toEqual({ self: ours.scorer('acc'), inputs: { x: 1 }, output: 'o' })
    expect(call.attributes).toEqual({ weave: { score: 'true', prediction_id, scorer: ours.scorer('acc'), evaluation_run_id: run } })
    expect(opOf(call)).toBe('acc.score')
    expect((await app.client.refs.readBatch({ refs: [call.op_name] })).vals).toMatchObject([{ weave_type: { type: 'Op' } }])
    expect(await ours.readScore(id)).toEqual({
      score_id: id,
      scorer: ours.scorer('acc'),
      value: 0.9,
      evaluation_run_id: run,
      wb_user_id: 'tester',
    })
  })

  test('of a prediction outside of it is a child of the run', async () => {
    const run = await ours.startRun()
    const id = await ours.score({ prediction_id: await ours.predict(), evaluation_run_id: run })
    expect(await ours.call(id)).toMatchObject({ parent_id: run, trace_id: run })
  })
})

test('a score without a run is a call of its own trace, also for a prediction of a run', async () => {
  const prediction_id = await ours.predict({ evaluation_run_id: await ours.startRun() })
  const id = await ours.score({ prediction_id })
  expect(await ours.call(id)).toMatchObject({ parent_id: null, trace_id: id })
  expect(await ours.readScore(id)).toMatchObject({ evaluation_run_id: null })
})

test('a score is feedback on its prediction', async () => {
  const prediction_id = await ours.predict()
  await ours.score({ prediction_id, value: { ok: [1, null] } })
  expect(await feedback()).toMatchObject([
    {
      weave_ref: `weave:///${ours.project_id}/call/${prediction_id}`,
      feedback_type: 'wandb.runnable.acc',
      payload: { output: { ok: [1, null] } },
      runnable_ref: ours.scorer('acc'),
      call_ref: null,
      wb_user_id: 'tester',
    },
  ])
})

test.each([[null], [false], [0], ['text'], [[]], [{}], [{ a: { b: [1.5] } }]])('the value %j is kept', async (value) => {
  const id = await ours.score({ prediction_id: await ours.predict(), value })
  expect((await ours.readScore(id)).value).toEqual(value)
  expect((await ours.listScores()).map((score) => score.value)).toEqual([value])
})

describe('a score is refused, and nothing is written,', () => {
  const nothing = async (prediction_id: string) => {
    expect((await ours.calls()).map(({ id }) => id)).toEqual([prediction_id])
    expect(await feedback()).toEqual([])
  }

  test.each([['no-reference'], [''], ['weave:///a/b/op/x:d'], ['weave:///a/b/call/c'], ['weave:///a/b/object/x'], ['wandb-artifact:///x']])(
    'by the scorer %j',
    async (scorer) => {
      const prediction_id = await ours.predict()
      await expect(ours.score({ prediction_id, scorer })).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining(JSON.stringify(scorer)),
      })
      await nothing(prediction_id)
    },
  )

  test('of an unknown prediction or run', async () => {
    const prediction_id = await ours.predict()
    await expect(ours.score({ prediction_id: 'p' })).rejects.toMatchObject({ status: 404, message: 'Prediction p not found' })
    await expect(ours.score({ prediction_id, evaluation_run_id: 'r' })).rejects.toMatchObject({
      status: 404,
      message: 'Evaluation run r not found',
    })
    await nothing(prediction_id)
  })

  test('with more than a megabyte of value', async () => {
    const prediction_id = await ours.predict()
    await expect(ours.score({ prediction_id, value: 'x'.repeat(1024 * 1024) })).rejects.toMatchObject({ status: 400 })
    await nothing(prediction_id)
  })
})

test('any call is read as a score, and its run is that of the trial above it', async () => {
  const { project_id } = ours
  const [run, trial] = [newId(), newId()]
  const scored = aCall({ project_id, parent_id: trial, output: { pass: true }, attributes: { weave: { scorer: 's' } } })
  await record(app.client, aCall({ project_id, id: trial, parent_id: run, op_name: 'Evaluation.predict_and_score' }), scored)
  expect(await ours.readScore(scored.id)).toMatchObject({ scorer: 's', value: { pass: true }, evaluation_run_id: run })
  expect(await ours.readScore(trial)).toMatchObject({ scorer: '', value: null, evaluation_run_id: null })
  expect(await ours.listScores()).toEqual([])
})

test('scores are listed by run and in pages', async () => {
  const run = await ours.startRun()
  const prediction_id = await ours.predict({ evaluation_run_id: run })
  const [a, b] = [await ours.score({ prediction_id, evaluation_run_id: run }), await ours.score({ prediction_id })]
  const idsOf = async (query: object) => (await ours.listScores(query)).map(({ score_id }) => score_id)
  expect(await idsOf({})).toEqual([a, b])
  expect(await idsOf({ evaluation_run_id: run })).toEqual([a])
  expect(await idsOf({ limit: 1, offset: 1 })).toEqual([b])
})

test('scores are deleted without their feedback', async () => {
  const prediction_id = await ours.predict()
  const id = await ours.score({ prediction_id })
  expect(await app.client.scores.delete({ ...ours.place, score_ids: [id, 'unknown'] })).toEqual({ num_deleted: 2 })
  await expect(ours.readScore(id)).rejects.toMatchObject({ status: 404, message: `Score ${id} not found` })
  expect(await feedback()).toHaveLength(1)
})
