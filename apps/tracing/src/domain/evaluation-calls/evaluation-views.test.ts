import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { CallRecord } from '../../contract-tests/testing/call-builders.ts'
import { startTestApp, type TestApp } from '../../testing/start-test-app.ts'
import { deleteRun, type EvaluationModel, finishPrediction, finishRun, treeOf } from './testing/evaluation-model.ts'
import { type Evaluations, evaluationsIn, opOf } from './testing/evaluations-in.ts'

/** One request. Numbers choose among what is there, so a request without anything to name is none. */
type Step =
  | { kind: 'startRun' }
  | { kind: 'predict'; run: number | null; output: unknown }
  | { kind: 'score'; of: number; run: number | null; scorer: string; value: unknown }
  | { kind: 'finishPrediction' | 'finishRun' | 'deleteScore' | 'deletePrediction' | 'deleteRun'; of: number }

const which = fc.nat({ max: 20 })
const aValue = fc.oneof(fc.integer({ min: -8, max: 8 }), fc.boolean(), fc.constantFrom(null, 'text', { ok: true }, [1]))
const aStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Step>({ kind: 'startRun' }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('predict' as const), run: fc.option(which, { freq: 6 }), output: aValue }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('score' as const),
      of: which,
      run: fc.option(which, { freq: 6 }),
      scorer: fc.constantFrom('acc', 'judge', 'output'),
      value: aValue,
    }),
  },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('finishPrediction' as const), of: which }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('finishRun', 'deleteScore', 'deletePrediction', 'deleteRun'), of: which }) },
)
const pick = <T>(list: readonly T[], at: number): T | undefined => list[at % Math.max(list.length, 1)]

/** Sends the request and does the same to the model. */
async function take(step: Step, ours: Evaluations, app: TestApp, model: EvaluationModel): Promise<void> {
  const { client } = app
  const live = model.predictions.filter(({ isDeleted }) => !isDeleted)
  switch (step.kind) {
    case 'startRun':
      return void model.runs.push({ id: await ours.startRun(), means: undefined })
    case 'predict': {
      const run = (step.run === null ? undefined : pick(model.runs, step.run)?.id) ?? null
      const id = await ours.predict({ output: step.output, evaluation_run_id: run })
      return void model.predictions.push({ id, run, output: step.output, trial: undefined, isDeleted: false })
    }
    case 'score': {
      const prediction = pick(live, step.of)
      if (prediction === undefined) return
      const run = (step.run === null ? undefined : pick(model.runs, step.run)?.id) ?? null
      const { scorer, value } = step
      const id = await ours.score({ prediction_id: prediction.id, scorer: ours.scorer(scorer), value, evaluation_run_id: run })
      return void model.scores.push({ id, prediction, scorer, value, run })
    }
    case 'finishPrediction': {
      const prediction = pick(live, step.of)
      if (prediction === undefined) return
      await ours.finishPrediction(prediction.id)
      return finishPrediction(model, prediction)
    }
    case 'deletePrediction': {
      const prediction = pick(live, step.of)
      if (prediction === undefined) return
      await client.predictions.delete({ ...ours.place, prediction_ids: [prediction.id] })
      prediction.isDeleted = true
      return
    }
    case 'deleteScore': {
      const score = pick(model.scores, step.of)
      if (score === undefined) return
      await client.scores.delete({ ...ours.place, score_ids: [score.id] })
      model.scores = model.scores.filter((other) => other !== score)
      return
    }
    case 'finishRun':
    case 'deleteRun': {
      const run = pick(model.runs, step.of)
      if (run === undefined) return
      if (step.kind === 'finishRun') {
        await ours.finishRun(run.id)
        return finishRun(model, run)
      }
      await client.evaluationRuns.delete({ ...ours.place, evaluation_run_ids: [run.id] })
      return deleteRun(model, run)
    }
  }
}

/** The calls of the model: op, output and parent of each. The ids of trials and summaries are the server's own. */
function expectedCalls({ runs, predictions, scores }: EvaluationModel): object[] {
  const latency = { model_latency: { mean: expect.any(Number) } }
  return [
    ...runs.flatMap(({ id, means }) => [
      { op: 'Evaluation.evaluate', id, above: null, output: means ?? null },
      ...(means === undefined ? [] : [{ op: 'Evaluation.summarize', above: id, output: means }]),
    ]),
    ...predictions.flatMap(({ id, run, output, trial, isDeleted }) => [
      ...(run === null
        ? []
        : [{ op: 'Evaluation.predict_and_score', of: id, above: run, output: trial === undefined ? null : { ...trial, ...latency } }]),
      ...(isDeleted ? [] : [{ op: 'Model.predict', id, above: run === null ? null : id, output }]),
    ]),
    ...scores.map((score) => ({
      op: `${score.scorer}.score`,
      id: score.id,
      above: treeOf(score) === null ? null : score.prediction.run === null ? score.run : score.prediction.id,
      output: score.value,
    })),
  ]
}

/** Calls in the same words: a trial goes by the id of its prediction. */
function describeCalls(calls: readonly CallRecord[]): object[] {
  const predictionOf = new Map(
    calls.map(({ id, attributes }) => [id, (attributes['weave'] as Record<string, string>)?.['predict_call_id']]),
  )
  return calls.map((call) => {
    const op = opOf(call)
    const [above, of] = [call.parent_id && (predictionOf.get(call.parent_id) ?? call.parent_id), predictionOf.get(call.id)]
    const id = of === undefined && op !== 'Evaluation.summarize' ? { id: call.id } : {}
    return { op, above, output: call.output, ...id, ...(of !== undefined && { of }) }
  })
}

const byText = (a: object, b: object) => (JSON.stringify(withoutOutput(a)) < JSON.stringify(withoutOutput(b)) ? -1 : 1)
const withoutOutput = (call: object) => Object.entries({ ...call, output: null }).toSorted()

describe.each([
  { name: 'one server', postgresUrl: undefined, usual: 3 },
  { name: 'PostgreSQL', postgresUrl: inject('postgresUrl'), usual: 1 },
])('on $name', ({ postgresUrl, usual }) => {
  const isMissing = postgresUrl === ''
  let app: TestApp
  beforeAll(async () => {
    if (!isMissing) app = await startTestApp(postgresUrl === undefined ? {} : { postgresUrl })
  })
  afterAll(() => app?.close())

  test.skipIf(isMissing)(
    'after any requests the views are what a plain model says, and so are the calls',
    async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(aStep, { minLength: 8, maxLength: 24, size: 'max' }), async (steps) => {
          const ours = evaluationsIn(app.client, app.newProject())
          const model: EvaluationModel = { runs: [], predictions: [], scores: [] }
          for (const step of [{ kind: 'startRun' } as const, ...steps]) await take(step, ours, app, model)
          expect(describeCalls(await ours.calls()).toSorted(byText)).toEqual(expectedCalls(model).toSorted(byText))
          await compareLists(ours, model)
        }),
        { numRuns: trials({ usual, long: 100 }) },
      )
    },
    1_200_000,
  )
})

async function compareLists(ours: Evaluations, { runs, predictions, scores }: EvaluationModel): Promise<void> {
  const shown = predictions.filter(({ isDeleted }) => !isDeleted)
  expect((await ours.listRuns()).map(({ evaluation_run_id: id, status }) => ({ id, status }))).toEqual(
    runs.map(({ id, means }) => ({ id, status: means === undefined ? 'running' : 'completed' })),
  )
  expect((await ours.listPredictions()).map(({ prediction_id: id, output, evaluation_run_id: run }) => ({ id, output, run }))).toEqual(
    shown.map(({ id, output, run }) => ({ id, output, run })),
  )
  expect((await ours.listScores()).map(({ score_id: id, value, evaluation_run_id: run }) => ({ id, value, run }))).toEqual(
    scores.map(({ id, value, run }) => ({ id, value, run })),
  )
  for (const { id } of runs) {
    expect((await ours.listPredictions({ evaluation_run_id: id })).map(({ prediction_id }) => prediction_id)).toEqual(
      shown.filter(({ run }) => run === id).map((prediction) => prediction.id),
    )
  }
}
