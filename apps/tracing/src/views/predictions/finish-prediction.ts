import type { JsonObject } from '@heddle/core-api'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import { isTrial, scoreKey } from '../../domain/evaluation-calls/op-names.ts'
import { marksOf, outputOf } from '../../domain/evaluation-calls/stored-call.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import { endChange, type CallChange } from '../../records/calls/write/call-change.ts'

const verdicts = new Set(['attributes', 'output'] as const)

/**
 * Ends an open prediction, and its trial with its output and its scores. The time of a first end is kept. A trial that an SDK has ended is unchanged,
 * since its scores are not all calls of ours.
 * @throws ApiError 404 for an unknown prediction
 */
export type FinishPrediction = (project: ProjectScope, id: string) => Promise<void>

export function createFinishPrediction({ calls, clock }: { calls: EvaluationCalls; clock: () => Micros }): FinishPrediction {
  async function scoresOf(project: ProjectScope, trial: CallColumns): Promise<JsonObject> {
    const scores = new Map<string, unknown>()
    const where = { 'attributes.weave.score': 'true' }
    for await (const page of await calls.findAll(project, { parent: trial, where }, verdicts)) {
      for (const call of page) {
        const value = outputOf(call)
        if (value !== null) scores.set(scoreKey(marksOf(call)['scorer']), value)
      }
    }
    return Object.fromEntries(scores)
  }

  async function endOfTrial(project: ProjectScope, trial: CallColumns, prediction: EndedPrediction): Promise<CallChange[]> {
    if (!isTrial(trial) || (trial.ended_at !== null && marksOf(trial)['predict_call_id'] !== prediction.id)) return []
    const { output, started_at, ended_at } = prediction
    const scores = await scoresOf(project, trial)
    const model_latency = { mean: (ended_at - started_at) / 1e6 }
    return [endChange(trial.id, { ended_at: trial.ended_at ?? clock(), output: { output, scores, model_latency }, summary: {} })]
  }

  async function decide(project: ProjectScope, id: string): Promise<CallChange[]> {
    const prediction = await calls.read(project, id, 'Prediction')
    const ended_at = prediction.ended_at ?? clock()
    const own = prediction.ended_at === null ? [endChange(id, { ended_at, output: null, summary: {} })] : []
    const trial = await calls.find(project, prediction.parent_id)
    if (trial === undefined) return own
    const ended = { id, output: outputOf(prediction), started_at: prediction.started_at, ended_at }
    return [...own, ...(await endOfTrial(project, trial, ended))]
  }

  return async (project, id) => {
    const { parent_id } = await calls.read(project, id, 'Prediction')
    await calls.writer.readModifyWrite(project, parent_id === '' ? [id] : [id, parent_id], () => decide(project, id))
  }
}

interface EndedPrediction {
  id: string
  output: unknown
  started_at: Micros
  ended_at: Micros
}
