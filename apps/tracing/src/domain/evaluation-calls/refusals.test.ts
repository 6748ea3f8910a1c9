import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '../../contract-tests/testing/call-builders.ts'
import { sendRaw } from '../../contract-tests/testing/send-raw.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { type Evaluations, evaluationsIn } from './testing/evaluations-in.ts'

let app: TestApp
let ours: Evaluations
/** Another project of the same user. */
let others: Evaluations
let theirs: { run: string; prediction: string; score: string }
beforeAll(async () => {
  app = await startTestApp()
  ours = evaluationsIn(app.client, app.newProject())
  others = evaluationsIn(app.client, app.newProject())
  const run = await others.startRun()
  const prediction = await others.predict({ evaluation_run_id: run, output: 1 })
  theirs = { run, prediction, score: await others.score({ prediction_id: prediction, evaluation_run_id: run }) }
})
afterAll(() => app.close())

const send = async (request: string, body?: unknown) => {
  const [method = '', path = ''] = request.split(' ')
  return sendRaw(app, { method, path: `/v2/${ours.project_id}${path}`, ...(body !== undefined && { body }) })
}

const run = { evaluation: 'e', model: 'm' }
const prediction = { model: 'm', inputs: {}, output: 1 }
const score = { prediction_id: 'p', scorer: 'weave:///a/b/object/s:d', value: 1 }

/** Without one of its fields. */
const without = (body: object, name: string) => Object.fromEntries(Object.entries(body).filter(([key]) => key !== name))

describe('a field that is missing is refused', () => {
  test.each([
    ...['evaluation', 'model'].map((name) => ['POST /evaluation_runs', name, without(run, name)] as const),
    ...['model', 'inputs', 'output'].map((name) => ['POST /predictions', name, without(prediction, name)] as const),
    ...['prediction_id', 'scorer', 'value'].map((name) => ['POST /scores', name, without(score, name)] as const),
    ['POST /predictions', 'span_id', { ...prediction, genai_span_ref: [{ trace_id: 't' }] }],
    ['POST /predictions', 'started_at', { ...prediction, ended_at: '2026-01-01T00:00:02Z' }],
    ['POST /predictions', 'ended_at', { ...prediction, started_at: '2026-01-01T00:00:02Z' }],
    ['DELETE /evaluation_runs', 'evaluation_run_ids', undefined],
    ['DELETE /predictions', 'prediction_ids', undefined],
    ['DELETE /scores', 'score_ids', undefined],
  ] as const)('%s without %s', async (request, name, body) => {
    const answer = await send(request, body)
    expect(answer.status).toBe(422)
    const { detail } = answer.body as { detail: { loc: string[] }[] }
    expect(detail.map(({ loc }) => loc.at(-1))).toEqual([name])
  })
})

describe('a value of a wrong type is refused', () => {
  test.each([
    ['POST /evaluation_runs', { ...run, evaluation: 1 }],
    ['POST /evaluation_runs', { ...run, model: null }],
    ['POST /evaluation_runs', { ...run, source_evaluation_run_id: [] }],
    ['POST /evaluation_runs/r/finish', { summary: 'text' }],
    ['POST /evaluation_runs/r/finish', { summary: { usage: 1 } }],
    ['POST /evaluation_runs/r/finish', { summary: { status_counts: { other: 1 } } }],
    ['POST /predictions', { ...prediction, inputs: [] }],
    ['POST /predictions', { ...prediction, inputs: null }],
    ['POST /predictions', { ...prediction, model: {} }],
    ['POST /predictions', { ...prediction, evaluation_run_id: 1 }],
    ['POST /predictions', { ...prediction, genai_span_ref: { trace_id: 't', span_id: 's' } }],
    ['POST /predictions', { ...prediction, genai_span_ref: Array.from({ length: 1001 }, () => ({ trace_id: 't', span_id: 's' })) }],
    ['POST /predictions', { ...prediction, started_at: 'noon', ended_at: 'later' }],
    ['POST /predictions', { ...prediction, started_at: '2026-01-01T00:00:02Z', ended_at: '2026-01-01T00:00:01Z' }],
    ['POST /scores', { ...score, prediction_id: 1 }],
    ['POST /scores', { ...score, scorer: null }],
    ['POST /scores', { ...score, evaluation_run_id: false }],
    ['POST /evaluation_runs', []],
    ['POST /predictions', 'text'],
    ['GET /evaluation_runs?limit=x', undefined],
    ['GET /predictions?offset=1.5', undefined],
    ['GET /scores?limit=', undefined],
  ])('%s %j', async (request, body) => {
    expect((await send(request, body)).status).toBe(422)
  })
})

test.each(['evaluation_runs', 'predictions', 'scores'].flatMap((many) => [`GET /${many}?limit=-1`, `GET /${many}?offset=-1`]))(
  '%s is refused',
  async (request) => {
    expect((await send(request)).status).toBe(400)
  },
)

test.each([
  ['evaluation_runs', 'evaluation_run_ids'],
  ['predictions', 'prediction_ids'],
  ['scores', 'score_ids'],
])('more than 1000 %s are not deleted at once', async (many, name) => {
  const ids = (count: number) => Array.from({ length: count }, (_, at) => at).join(',')
  expect((await send(`DELETE /${many}?${name}=${ids(1001)}`)).status).toBe(413)
  expect(await send(`DELETE /${many}?${name}=${ids(1000)}`)).toMatchObject({ status: 200, body: { num_deleted: 1000 } })
  expect(await send(`DELETE /${many}?${name}=`)).toMatchObject({ status: 200, body: { num_deleted: 0 } })
})

test('more than 1000 values of a filter are refused', async () => {
  const ids = Array.from({ length: 1001 }, (_, at) => at).join(',')
  for (const name of ['evaluations', 'models', 'evaluation_run_ids']) {
    expect((await send(`GET /evaluation_runs?${name}=${ids}`)).status).toBe(400)
  }
})

describe('ids of nothing, and of another project, are unknown', () => {
  const requests = (ids: { run: string; prediction: string; score: string }) => [
    [`GET /evaluation_runs/${ids.run}`],
    [`POST /evaluation_runs/${ids.run}/finish`, {}],
    ['POST /predictions', { ...prediction, evaluation_run_id: ids.run }],
    [`GET /predictions/${ids.prediction}`],
    [`POST /predictions/${ids.prediction}/finish`],
    ['POST /scores', { ...score, prediction_id: ids.prediction }],
    [`GET /scores/${ids.score}`],
  ]

  test.each([
    ['made up', () => ({ run: newId(), prediction: newId(), score: newId() })],
    ['of no call', () => ({ run: 'a%20b', prediction: '%00', score: 'ü' })],
    ['of another project', () => theirs],
  ])('ids %s', async (_, idsOf) => {
    for (const [request, body] of requests(idsOf())) {
      const answer = await send(request as string, body)
      expect([request, answer.status, (answer.body as { reason: string }).reason]).toEqual([
        request,
        404,
        expect.stringMatching(/ not found$/),
      ])
    }
  })

  test('what another project has is neither listed nor deleted, and stays as it is', async () => {
    const before = await others.calls()
    expect(await ours.listRuns({ evaluation_run_ids: [theirs.run] })).toEqual([])
    expect(await ours.listScores({ evaluation_run_id: theirs.run })).toEqual([])
    await app.client.evaluationRuns.delete({ ...ours.place, evaluation_run_ids: [theirs.run] })
    await app.client.predictions.delete({ ...ours.place, prediction_ids: [theirs.prediction] })
    await app.client.scores.delete({ ...ours.place, score_ids: [theirs.score] })
    expect(await others.calls()).toEqual(before)
  })

  test('nothing is written by any of these requests', async () => {
    expect(await ours.calls()).toEqual([])
    expect((await app.client.feedback.query({ project_id: ours.project_id })).result).toEqual([])
  })
})

test('references into a project that the reader may not see are hidden', async () => {
  const secret = `weave:///${others.project_id}/object/secret:d`
  const shown = evaluationsIn(app.client, app.newProject())
  const evaluation_run_id = await shown.startRun({ evaluation: secret, model: secret })
  const prediction_id = await shown.predict({ evaluation_run_id, model: secret, inputs: { secret }, output: secret })
  const score_id = await shown.score({ prediction_id, scorer: secret, value: secret, evaluation_run_id })
  const reader = await app.clientFor({ name: 'reader', role: 'reader', projects: [{ project_id: shown.project_id, role: 'reader' }] })
  const seen = evaluationsIn(reader, shown.project_id)
  const answers = [
    await seen.readRun(evaluation_run_id),
    await seen.readPrediction(prediction_id),
    await seen.readScore(score_id),
    await seen.listRuns(),
    await seen.listPredictions(),
    await seen.listScores(),
  ]
  for (const answer of answers) {
    expect(JSON.stringify(answer)).toContain('weave-private:')
    expect(JSON.stringify(answer)).not.toContain(others.project_id)
  }
})
