import { findCalls, type CallRecord } from '../../../contract-tests/testing/call-builders.ts'
import type { TestClient } from '../../../testing/start-test-app.ts'

type Prediction = Partial<Parameters<TestClient['predictions']['create']>[0]>
type Score = Partial<Parameters<TestClient['scores']['create']>[0]> & { prediction_id: string }

/** Runs, predictions and scores of one project, with nothing in them but what the test names. */
export function evaluationsIn(client: TestClient, project_id: string) {
  const [entity = '', project = ''] = project_id.split('/')
  const place = { entity, project }
  const scorer = (name: string) => `weave:///${project_id}/object/${name}:d`
  return {
    project_id,
    place,
    scorer,
    startRun: async (run: { evaluation?: string; model?: string; source_evaluation_run_id?: string } = {}) =>
      (await client.evaluationRuns.create({ ...place, evaluation: 'e', model: 'm', ...run })).evaluation_run_id,
    predict: async (prediction: Prediction = {}) =>
      (await client.predictions.create({ ...place, model: 'm', inputs: {}, output: null, ...prediction })).prediction_id,
    score: async (score: Score) => (await client.scores.create({ ...place, scorer: scorer('acc'), value: 1, ...score })).score_id,
    finishRun: (evaluation_run_id: string, summary?: Record<string, unknown>) =>
      client.evaluationRuns.finish({ ...place, evaluation_run_id, ...(summary && { summary }) }),
    finishPrediction: (prediction_id: string) => client.predictions.finish({ ...place, prediction_id }),
    readRun: (evaluation_run_id: string) => client.evaluationRuns.read({ ...place, evaluation_run_id }),
    readPrediction: (prediction_id: string) => client.predictions.read({ ...place, prediction_id }),
    readScore: (score_id: string) => client.scores.read({ ...place, score_id }),
    listRuns: (query: object = {}) => gather(client.evaluationRuns.list({ ...place, ...query })),
    listPredictions: (query: object = {}) => gather(client.predictions.list({ ...place, ...query })),
    listScores: (query: object = {}) => gather(client.scores.list({ ...place, ...query })),
    calls: () => findCalls(client, { project_id }),
    async call(id: string): Promise<CallRecord> {
      const { call } = await client.calls.read({ project_id, id })
      if (call === null) throw new Error(`call "${id}" is not there`)
      return call
    },
  }
}

export type Evaluations = ReturnType<typeof evaluationsIn>

/** The call above another. */
export async function trialOf(evaluations: Evaluations, prediction_id: string): Promise<CallRecord> {
  return evaluations.call((await evaluations.call(prediction_id)).parent_id ?? '')
}

/** The short name of the op of a call. */
export const opOf = ({ op_name }: CallRecord) => /\/op\/([^:]+):/.exec(op_name)?.[1] ?? op_name

async function gather<T>(lines: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const line of lines) all.push(line)
  return all
}
