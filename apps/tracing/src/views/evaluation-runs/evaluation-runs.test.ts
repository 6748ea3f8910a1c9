import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aCall, aStart, newId, record } from '../../contract-tests/testing/call-builders.ts'
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

const ids = (runs: { evaluation_run_id: string }[]) => runs.map(({ evaluation_run_id }) => evaluation_run_id)

describe('a run that is created', () => {
  test('is a call that has started, at the root of its trace', async () => {
    const id = await ours.startRun({ evaluation: 'weave:///a/b/object/e:d', model: 'any text' })
    const [call, ...others] = await ours.calls()
    expect(others).toEqual([])
    expect(call).toMatchObject({ id, trace_id: id, parent_id: null, ended_at: null, wb_user_id: 'tester' })
    expect(call?.inputs).toEqual({ self: 'weave:///a/b/object/e:d', model: 'any text' })
    expect(call?.attributes).toEqual({ weave: { evaluation_run: 'true', evaluation: 'weave:///a/b/object/e:d', model: 'any text' } })
  })

  test('names an op that can be read', async () => {
    const { op_name } = await ours.call(await ours.startRun())
    expect(op_name).toMatch(`weave:///${ours.project_id}/op/Evaluation.evaluate:`)
    expect((await app.client.refs.readBatch({ refs: [op_name] })).vals).toMatchObject([{ weave_type: { type: 'Op' } }])
  })

  test('is read as running, with the run from which it was made', async () => {
    const id = await ours.startRun({ source_evaluation_run_id: 'earlier' })
    expect(await ours.readRun(id)).toEqual({
      evaluation_run_id: id,
      evaluation: 'e',
      model: 'm',
      status: 'running',
      started_at: (await ours.call(id)).started_at,
      finished_at: null,
      summary: { weave: { status: 'running', trace_name: 'Evaluation.evaluate' } },
      source_evaluation_run_id: 'earlier',
    })
    expect(await ours.listRuns()).toEqual([await ours.readRun(id)])
  })
})

describe('any call is read as a run', () => {
  const readCallAs = async (call: Partial<Parameters<typeof aCall>[0]>) => {
    const recorded = aCall({ project_id: ours.project_id, ...call })
    await record(app.client, recorded)
    return ours.readRun(recorded.id)
  }

  test.each([
    ['its attributes', { attributes: { weave: { evaluation: 'a', model: 'b' } }, inputs: { self: 'c', model: 'd' } }, ['a', 'b']],
    ['its inputs', { inputs: { self: 'c', model: 'd' } }, ['c', 'd']],
    ['what JavaScript calls `this`', { inputs: { self: '', this: 'c', model: 7 } }, ['c', '']],
    ['inputs where the attributes hold no text', { attributes: { weave: { evaluation: 1, model: '' } }, inputs: { self: 'c' } }, ['c', '']],
    ['nothing', { attributes: { weave: 'x' } }, ['', '']],
  ])('by %s', async (_, call, [evaluation, model]) => {
    expect(await readCallAs(call)).toMatchObject({ evaluation, model, source_evaluation_run_id: null })
  })

  test('which is not listed, and failed where it ended with an exception', async () => {
    expect(await readCallAs({ exception: 'broken' })).toMatchObject({ status: 'failed', finished_at: '2026-03-01T00:00:01Z' })
    expect(await readCallAs({ exception: '' })).toMatchObject({ status: 'completed', summary: { weave: { latency_ms: 1000 } } })
    expect(await ours.listRuns()).toEqual([])
  })
})

test('runs are listed by evaluation, model and id, each given as a list or joined by commas', async () => {
  const first = await ours.startRun({ evaluation: 'e1', model: 'm1' })
  const second = await ours.startRun({ evaluation: 'e1', model: 'm2' })
  const third = await ours.startRun({ evaluation: 'e2', model: 'm2' })
  const idsOf = async (query: object) => ids(await ours.listRuns(query))
  expect(await idsOf({})).toEqual([first, second, third])
  expect(await idsOf({ evaluations: ['e1'] })).toEqual([first, second])
  expect(await idsOf({ evaluations: ['e1', 'e2'], models: ['m2'] })).toEqual([second, third])
  expect(await idsOf({ evaluations: ['e1,e2'], evaluation_run_ids: [third, first] })).toEqual([first, third])
  expect(await idsOf({ evaluations: [''], models: [] })).toEqual([first, second, third])
  expect(await idsOf({ models: ['m3'] })).toEqual([])
  expect(await idsOf({ limit: 1, offset: 1 })).toEqual([second])
  expect(await idsOf({ limit: 0 })).toEqual([])
})

describe('a run that is finished', () => {
  test('ends with the mean of each score and of outputs that are numbers, which a child repeats', async () => {
    const run = await ours.startRun({ evaluation: 'weave:///a/b/object/e:d' })
    const trials: [unknown, unknown][] = [
      [2, 0.5],
      [true, true],
      ['text', { nested: 1 }],
      [null, 'text'],
    ]
    for (const [output, value] of trials) {
      const prediction_id = await ours.predict({ evaluation_run_id: run, output })
      await ours.score({ prediction_id, value, evaluation_run_id: run })
      await ours.score({ prediction_id, scorer: ours.scorer('words'), value: 'good', evaluation_run_id: run })
      await ours.finishPrediction(prediction_id)
    }
    expect(await ours.finishRun(run, { note: 'done' })).toEqual({ success: true })
    const means = { acc: { mean: 0.75 }, output: { mean: 1.5 } }
    expect(await ours.call(run)).toMatchObject({ output: means, exception: null })
    expect(await ours.readRun(run)).toMatchObject({ status: 'completed', summary: { note: 'done', weave: { status: 'success' } } })
    const [child, ...others] = (await ours.calls()).filter((call) => opOf(call) === 'Evaluation.summarize')
    expect(others).toEqual([])
    expect(child).toMatchObject({ op_name: 'Evaluation.summarize', parent_id: run, trace_id: run, attributes: {}, output: means })
    expect(child).toMatchObject({ inputs: { self: 'weave:///a/b/object/e:d' }, ended_at: (await ours.call(run)).ended_at })
  })

  test('counts no prediction that is not finished', async () => {
    const run = await ours.startRun()
    const prediction_id = await ours.predict({ evaluation_run_id: run, output: 1 })
    await ours.score({ prediction_id, evaluation_run_id: run })
    await ours.finishRun(run)
    expect(await ours.call(run)).toMatchObject({ output: {}, summary: { weave: { status: 'success' } } })
  })

  test('stays as it is when it is finished again', async () => {
    const run = await ours.startRun()
    await ours.finishRun(run, { first: true })
    const before = await ours.calls()
    expect(await ours.finishRun(run, { second: true })).toEqual({ success: true })
    expect(await ours.calls()).toEqual(before)
  })

  test('has one summary, however many finish it at once', async () => {
    const run = await ours.startRun()
    await Promise.all(Array.from({ length: 8 }, (_, at) => ours.finishRun(run, { at })))
    expect((await ours.calls()).map(opOf)).toEqual(['Evaluation.evaluate', 'Evaluation.summarize'])
  })

  test('counts trials of the JavaScript client too, of whichever trace, and no other children', async () => {
    const [run, trace_id] = [newId(), newId()]
    const { project_id } = ours
    await app.client.calls.start({ start: aStart({ project_id, id: run, trace_id, inputs: { this: 'e' } }) })
    const child = (op_name: string, output: unknown) => aCall({ project_id, trace_id, parent_id: run, op_name, output })
    await record(
      app.client,
      child('Evaluation.predictAndScore', { scores: { acc: 1 } }),
      { ...child(`weave:///${project_id}/op/Evaluation.predict_and_score:d`, { scores: { acc: 0 } }), trace_id: newId() },
      child('Evaluation.predict_and_score', [{ scores: { acc: 9 } }]),
      child('other', { scores: { acc: 9 } }),
    )
    await ours.finishRun(run)
    expect(await ours.call(run)).toMatchObject({ output: { acc: { mean: 0.5 } } })
  })
})

test('runs are deleted with all below them, and the number of ids given is answered', async () => {
  const [run, kept] = [await ours.startRun(), await ours.startRun()]
  const prediction_id = await ours.predict({ evaluation_run_id: run })
  const score_id = await ours.score({ prediction_id, evaluation_run_id: run })
  const deleted = await app.client.evaluationRuns.delete({ ...ours.place, evaluation_run_ids: [run, 'unknown', run] })
  expect(deleted).toEqual({ num_deleted: 3 })
  await expect(ours.readRun(run)).rejects.toMatchObject({ status: 404, message: `Evaluation run ${run} not found` })
  await expect(ours.readPrediction(prediction_id)).rejects.toMatchObject({ status: 404 })
  await expect(ours.readScore(score_id)).rejects.toMatchObject({ status: 404 })
  await expect(ours.finishRun(run)).rejects.toMatchObject({ status: 404 })
  expect((await ours.calls()).map(({ id }) => id)).toEqual([kept])
})
