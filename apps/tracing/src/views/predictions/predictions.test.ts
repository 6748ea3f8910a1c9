import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aCall, aStart, newId, record } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { type Evaluations, evaluationsIn, opOf, trialOf } from '../../domain/evaluation-calls/testing/evaluations-in.ts'
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

describe('a prediction in a run', () => {
  test('is a finished call below an open trial of the run', async () => {
    const run = await ours.startRun({ evaluation: 'weave:///a/b/object/e:d' })
    const genai_span_ref = [{ trace_id: 't', span_id: 's' }]
    const model = `weave:///${ours.project_id}/object/My-Model:d`
    const id = await ours.predict({ evaluation_run_id: run, model, inputs: { x: 1 }, output: 'o', genai_span_ref })
    const [root, trial, prediction] = await ours.calls()
    expect(root?.id).toBe(run)
    expect(trial).toMatchObject({ parent_id: run, trace_id: run, ended_at: null, output: null, wb_user_id: 'tester' })
    expect(trial?.inputs).toEqual({ self: 'weave:///a/b/object/e:d', model, example: { x: 1 } })
    expect(trial?.attributes).toEqual({ weave: { predict_call_id: id, genai_span_ref } })
    expect(prediction).toMatchObject({ id, parent_id: trial?.id, trace_id: run, output: 'o', exception: null, wb_user_id: 'tester' })
    expect(prediction?.inputs).toEqual({ self: model, inputs: { x: 1 } })
    expect(prediction?.attributes).toEqual({ weave: { prediction: 'true', model, evaluation_run_id: run } })
    expect([trial, prediction].map((call) => call && opOf(call))).toEqual(['Evaluation.predict_and_score', 'My-Model.predict'])
    const refs = [trial?.op_name ?? '', prediction?.op_name ?? '']
    expect((await app.client.refs.readBatch({ refs })).vals).toMatchObject([{ weave_type: { type: 'Op' } }, { weave_type: { type: 'Op' } }])
  })

  test('of an unknown run is refused, and nothing is written', async () => {
    await expect(ours.predict({ evaluation_run_id: 'r' })).rejects.toMatchObject({ status: 404, message: 'Evaluation run r not found' })
    expect(await ours.calls()).toEqual([])
  })

  test('is added to a run that has ended, too', async () => {
    const run = await ours.startRun()
    await ours.finishRun(run)
    expect(await ours.readPrediction(await ours.predict({ evaluation_run_id: run }))).toMatchObject({ evaluation_run_id: run })
  })
})

test('a prediction without a run is a call of its own trace', async () => {
  const id = await ours.predict({ inputs: { x: [1] }, output: { y: null } })
  const [call, ...others] = await ours.calls()
  expect(others).toEqual([])
  expect(call).toMatchObject({ id, trace_id: id, parent_id: null, output: { y: null }, summary: { weave: { status: 'success' } } })
  expect(call?.attributes).toEqual({ weave: { prediction: 'true', model: 'm' } })
  expect(await ours.readPrediction(id)).toEqual({
    prediction_id: id,
    model: 'm',
    inputs: { x: [1] },
    output: { y: null },
    evaluation_run_id: null,
    wb_user_id: 'tester',
  })
})

test.each([
  ['weave:///a/b/op/run:d', 'run.predict'],
  ['weave:///a/b/object/Größe.1:d/attr/x', 'Größe.1.predict'],
  ['weave:///a/b/object/my model!:d', 'my_model.predict'],
  [`weave:///a/b/object/${'x'.repeat(200)}:d`, `${'x'.repeat(120)}.predict`],
  ['weave:///a/b/call/c', 'Model.predict'],
  ['weave:///a/b/object/m', 'Model.predict'],
  ['plain', 'Model.predict'],
  ['', 'Model.predict'],
])('the op of a prediction by %j is %j', async (model, op) => {
  expect(opOf(await ours.call(await ours.predict({ model })))).toBe(op)
})

test('numbers of inputs and output keep their form', async () => {
  const path = `/v2/${ours.project_id}/predictions`
  const created = await sendRaw(app, { path, body: '{"model":"m","inputs":{"a":1.0,"b":12345678901234567890},"output":2.50}' })
  const { prediction_id } = created.body as { prediction_id: string }
  const { text } = await sendRaw(app, { method: 'GET', path: `${path}/${prediction_id}` })
  expect(text).toContain('"inputs":{"a":1.0,"b":12345678901234567890},"output":2.50')
})

test('credentials in inputs are hidden', async () => {
  const run = await ours.startRun()
  const id = await ours.predict({ evaluation_run_id: run, inputs: { api_key: 'secret' }, output: { api_key: 'shown' } })
  expect(await ours.readPrediction(id)).toMatchObject({ inputs: { api_key: 'REDACTED' }, output: { api_key: 'shown' } })
  expect((await trialOf(ours, id)).inputs).toMatchObject({ example: { api_key: 'REDACTED' } })
})

test('any call is read as a prediction, and its run is that of the trial above it', async () => {
  const { project_id } = ours
  const [run, trial] = [newId(), newId()]
  const inputs = { arg0: 1 }
  const predicted = aCall({ project_id, parent_id: trial, inputs, output: 'o' })
  const other = aCall({ project_id, parent_id: run, inputs: { inputs: null }, attributes: { weave: { model: 7 } } })
  const alone = aCall({ project_id, parent_id: newId(), inputs: { inputs: [1] } })
  await record(app.client, aCall({ project_id, id: trial, parent_id: run, op_name: 'Evaluation.predictAndScore' }), predicted, other, alone)
  expect(await ours.readPrediction(predicted.id)).toMatchObject({ model: '', inputs: {}, output: 'o', evaluation_run_id: run })
  for (const { id } of [other, alone])
    expect(await ours.readPrediction(id)).toMatchObject({ model: '', inputs: {}, output: null, evaluation_run_id: null })
  expect(await ours.listPredictions()).toEqual([])
})

test('predictions are listed by run and in pages', async () => {
  const run = await ours.startRun()
  const [a, b, c] = [await ours.predict({ evaluation_run_id: run }), await ours.predict(), await ours.predict({ evaluation_run_id: run })]
  const idsOf = async (query: object) => (await ours.listPredictions(query)).map(({ prediction_id }) => prediction_id)
  expect(await idsOf({})).toEqual([a, b, c])
  expect(await idsOf({ evaluation_run_id: run })).toEqual([a, c])
  expect(await idsOf({ evaluation_run_id: 'other' })).toEqual([])
  expect(await idsOf({ limit: 1, offset: 1 })).toEqual([b])
  expect(await ours.listPredictions({ limit: 1 })).toEqual([await ours.readPrediction(a)])
})

describe('a prediction that is finished', () => {
  test('ends its trial with its output, its scores and its latency, and keeps its output', async () => {
    const run = await ours.startRun()
    const id = await ours.predict({ evaluation_run_id: run, output: { text: 'A' } })
    await ours.score({ prediction_id: id, value: 0.5, evaluation_run_id: run })
    await ours.score({ prediction_id: id, value: 0.75, evaluation_run_id: run })
    await ours.score({ prediction_id: id, scorer: ours.scorer('judge'), value: { ok: true }, evaluation_run_id: run })
    await ours.score({ prediction_id: id, scorer: ours.scorer('silent'), value: null, evaluation_run_id: run })
    await ours.score({ prediction_id: id, scorer: ours.scorer('outside'), value: 1 })
    const before = await ours.call(id)
    expect(await ours.finishPrediction(id)).toEqual({ success: true })
    expect((await trialOf(ours, id)).output).toEqual({
      output: { text: 'A' },
      scores: { acc: 0.75, judge: { ok: true } },
      model_latency: { mean: expect.any(Number) },
    })
    expect(await ours.call(id)).toEqual(before)
  })

  test('took the time between the start and the end that its client measured, and its run reports the mean of those which were measured', async () => {
    const run = await ours.startRun()
    for (const ended_at of ['2026-01-01T00:00:01.500Z', '2026-01-01T00:00:03.500Z'])
      await ours.finishPrediction(await ours.predict({ evaluation_run_id: run, started_at: '2026-01-01T00:00:01Z', ended_at }))
    const alone = await ours.predict({ evaluation_run_id: run })
    await ours.finishPrediction(alone)
    await ours.finishRun(run)
    const trials = (await ours.calls()).filter((call) => opOf(call) === 'Evaluation.predict_and_score')
    const at = '2026-01-01T00:00:01Z'
    expect(trials.map(({ output }) => (output as { model_latency: object }).model_latency)).toEqual([
      { mean: 0.5 },
      { mean: 2.5 },
      { mean: 0 },
    ])
    expect(trials.map(({ started_at }) => started_at)).toEqual([at, at, expect.not.stringContaining(at)])
    expect((await ours.call(run)).output).toEqual({ model_latency: { mean: 1.5 } })
  })

  test('takes the scores that came since when it is finished again, and keeps the time of its end', async () => {
    const run = await ours.startRun()
    const id = await ours.predict({ evaluation_run_id: run })
    await ours.finishPrediction(id)
    const first = await trialOf(ours, id)
    await ours.finishPrediction(id)
    expect(await trialOf(ours, id)).toEqual(first)
    await ours.score({ prediction_id: id, evaluation_run_id: run })
    await ours.finishPrediction(id)
    expect(await trialOf(ours, id)).toMatchObject({ output: { scores: { acc: 1 } }, ended_at: first.ended_at })
  })

  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['an empty object', '{}'],
  ])('needs no body: %s is accepted', async (_, body) => {
    const id = await ours.predict()
    const answer = await sendRaw(app, { path: `/v2/${ours.project_id}/predictions/${id}/finish`, ...(body !== undefined && { body }) })
    expect([answer.status, answer.body]).toEqual([200, { success: true }])
  })

  test('leaves a trial that an SDK has ended as it is, and ends one that is open', async () => {
    const { project_id } = ours
    const place = { project_id, op_name: 'Evaluation.predict_and_score' }
    const ended = aCall({ ...place, output: { scores: { acc: 1 } } })
    const open = aStart({ ...place, id: newId() })
    const children = [ended.id, open.id].map((parent_id) => aStart({ project_id, id: newId(), parent_id: parent_id ?? null }))
    await record(app.client, ended)
    for (const start of [open, ...children]) await app.client.calls.start({ start })
    for (const { id } of children) await ours.finishPrediction(id ?? '')
    expect((await ours.call(ended.id)).output).toEqual({ scores: { acc: 1 } })
    expect((await ours.call(open.id ?? '')).output).toMatchObject({ output: null, scores: {} })
    for (const { id } of children) expect((await ours.call(id ?? '')).ended_at).not.toBeNull()
  })

  test('that is unknown is refused, and no call is left', async () => {
    await expect(ours.finishPrediction(newId())).rejects.toMatchObject({ status: 404 })
    expect(await ours.calls()).toEqual([])
  })
})

test('predictions are deleted without their trials', async () => {
  const run = await ours.startRun()
  const id = await ours.predict({ evaluation_run_id: run })
  const deleted = await app.client.predictions.delete({ ...ours.place, prediction_ids: [`${id},unknown`] })
  expect(deleted).toEqual({ num_deleted: 2 })
  await expect(ours.readPrediction(id)).rejects.toMatchObject({ status: 404, message: `Prediction ${id} not found` })
  expect((await ours.calls()).map(opOf)).toEqual(['Evaluation.evaluate', 'Evaluation.predict_and_score'])
})
