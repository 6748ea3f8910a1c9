import type { JsonObject } from '@heddle/core-api'
import { tooLarge } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { EvaluationCalls } from '../../domain/evaluation-calls/evaluation-calls.ts'
import type { EvaluationRequest } from '../../domain/evaluation-calls/evaluation-request.ts'
import { isTrial, summarizeOp } from '../../domain/evaluation-calls/op-names.ts'
import { createScoreMeans, type ScoreMeans } from '../../domain/evaluation-calls/score-means.ts'
import { inputsOf, outputOf } from '../../domain/evaluation-calls/stored-call.ts'
import type { CallColumns } from '../../records/calls/calls-store.ts'
import { runInSlices } from '@heddle/service-kit'
import { endSteps } from '../../records/calls/write/call-change.ts'

/** Names of scores in one run. */
const maxNames = 10_000
const outputs = new Set(['output'] as const)

/**
 * Ends a run with the means of its scores, and records them in a child of it. A run that has ended is unchanged.
 * @throws ApiError 404 for an unknown run, 413 for one with more than 10,000 names of scores
 */
export type FinishRun = (request: EvaluationRequest, id: string, summary: JsonObject) => Promise<void>

interface FinishRunDeps {
  calls: EvaluationCalls
  clock: () => Micros
  newId: () => string
}

export function createFinishRun({ calls, clock, newId }: FinishRunDeps): FinishRun {
  async function meansOf(project: ProjectScope, run: CallColumns): Promise<ScoreMeans> {
    const means = createScoreMeans()
    for await (const page of await calls.findAll(project, { parent: run }, outputs)) {
      for (const call of page) if (isTrial(call)) means.add(outputOf(call))
      if (means.names > maxNames) throw tooLarge(`evaluation run ${run.id} has scores under more than ${maxNames} names`)
    }
    return means.toMeans()
  }

  return async ({ project, userId }, id, summary) => {
    await calls.writer.readModifyWrite(project, [id], async () => {
      const run = await calls.read(project, id, 'Evaluation run')
      if (run.ended_at !== null) return []
      const means = await meansOf(project, run)
      const at = clock()
      const place = { trace_id: run.trace_id, parent_id: id, op_name: summarizeOp }
      const inputs = { self: inputsOf(run)['self'] ?? null }
      return [
        await calls.newCalls.ended({ id: newId(), ...place, at, userId, marks: null, inputs }, means),
        await runInSlices(endSteps(id, { ended_at: at, output: means, summary })),
      ]
    })
  }
}
