import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startTestApp, type TestApp, type TestServer } from '../../testing/start-test-app.ts'
import { type Evaluations, evaluationsIn, opOf, trialOf } from './testing/evaluations-in.ts'

describe.each([
  { name: 'one server', postgresUrl: undefined },
  { name: 'two servers on PostgreSQL', postgresUrl: inject('postgresUrl') },
])('on $name', ({ postgresUrl }) => {
  const isMissing = postgresUrl === ''
  let app: TestApp
  let servers: Pick<TestServer, 'client'>[]
  beforeAll(async () => {
    if (isMissing) return
    app = await startTestApp(postgresUrl === undefined ? {} : { postgresUrl })
    servers = postgresUrl === undefined ? [app] : [app, await app.anotherServer()]
  })
  afterAll(() => app?.close())

  /** The same project through each of the servers in turn. */
  const sameProject = (count: number): Evaluations[] => {
    const project_id = app.newProject()
    return Array.from({ length: count }, (_, at) => evaluationsIn((servers[at % servers.length] ?? app).client, project_id))
  }

  test.skipIf(isMissing)('a score that is acknowledged before a finish is in the trial, however many finish it at once', async () => {
    const [ours, ...others] = sameProject(5)
    if (ours === undefined) return expect.unreachable()
    const evaluation_run_id = await ours.startRun()
    const prediction_id = await ours.predict({ evaluation_run_id, output: 'o' })
    await Promise.all(
      others.map(async (other, at) => {
        await other.score({ prediction_id, evaluation_run_id, scorer: ours.scorer(`s${at}`), value: at })
        await other.finishPrediction(prediction_id)
      }),
    )
    const scores = Object.fromEntries(others.map((_, at) => [`s${at}`, at]))
    expect((await trialOf(ours, prediction_id)).output).toMatchObject({ output: 'o', scores })
  })

  test.skipIf(isMissing)('a run is ended once, with one summary of the predictions that were finished before', async () => {
    const [ours, ...others] = sameProject(5)
    if (ours === undefined) return expect.unreachable()
    const evaluation_run_id = await ours.startRun()
    const prediction_id = await ours.predict({ evaluation_run_id })
    await ours.score({ prediction_id, evaluation_run_id, value: 0.25 })
    await ours.finishPrediction(prediction_id)
    await Promise.all(others.map((other, at) => other.finishRun(evaluation_run_id, { at })))
    const output = { acc: { mean: 0.25 } }
    expect((await ours.calls()).filter((call) => opOf(call) === 'Evaluation.summarize')).toMatchObject([{ output }])
    expect(await ours.call(evaluation_run_id)).toMatchObject({ output, summary: { at: expect.any(Number) } })
  })

  test.skipIf(isMissing)('what one writes at once is read by all', async () => {
    const all = sameProject(4)
    const [ours] = all
    if (ours === undefined) return expect.unreachable()
    const evaluation_run_id = await ours.startRun()
    const predictions = await Promise.all(all.map((each, output) => each.predict({ evaluation_run_id, output })))
    for (const each of all) {
      const found = (await each.listPredictions({ evaluation_run_id })).map((found) => found.prediction_id)
      expect(found.toSorted()).toEqual(predictions.toSorted())
    }
    expect((await ours.calls()).map(opOf).filter((op) => op === 'Evaluation.predict_and_score')).toHaveLength(all.length)
  })
})
