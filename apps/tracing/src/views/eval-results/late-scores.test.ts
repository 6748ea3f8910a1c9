import { afterAll, beforeAll, expect, test } from 'vitest'
import { evaluationsIn } from '../../domain/evaluation-calls/testing/evaluations-in.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

test('a score that comes after its prediction was finished counts in the summary as in the rows', async () => {
  const ours = evaluationsIn(app.client, app.newProject())
  const evaluation_run_id = await ours.startRun()
  const prediction_id = await ours.predict({ evaluation_run_id })
  await ours.finishPrediction(prediction_id)
  const value = { right: true, nested: { grade: 0.5 }, note: 'good' }
  await ours.score({ prediction_id, evaluation_run_id, value })
  const results = await app.client.evalResults.query({ ...ours.place, evaluation_run_ids: [evaluation_run_id], include_summary: true })
  expect(results.rows[0]?.evaluations[0]?.trials[0]?.scores).toEqual({ acc: value })
  expect(results.summary?.evaluations[0]?.scorer_stats).toMatchObject([
    { scorer_key: 'acc', path: 'right', value_type: 'binary', trial_count: 1, pass_rate: 1 },
    { scorer_key: 'acc', path: 'nested.grade', value_type: 'continuous', trial_count: 1, numeric_mean: 0.5 },
    { scorer_key: 'acc', path: 'note', value_type: 'text', trial_count: 1 },
  ])
})
