import { type Micros, StoreError } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { JobAborted, type JobContext, JobFailure, type JobHandler, type RunningJob } from '@heddle/jobs'
import { addCounts, recordCall } from '../../../domain/scoring/call-scope.ts'
import type { Predict } from '../../../domain/scoring/model/predict.ts'
import type { CallsStore } from '../../../records/calls/calls-store.ts'
import type { CallsWriter } from '../../../records/calls/write/calls-writer.ts'
import type { EvaluationOps, FindEvaluationOps } from './evaluation-ops.ts'
import { checkPredictions, type RunnableEvaluation } from './load-evaluation.ts'
import { createRunCalls, type EvaluationRun, type RunCalls } from './run-calls.ts'
import { createRunColumns } from './run-columns.ts'
import { createRunRows, type RunAttempt, type RunRowsDeps } from './run-rows.ts'

/** Payload of the job of a run. Its id is that of the call of the run. */
export interface RunPayload {
  evaluation_ref: string
  model_ref: string
  user_id: string
}

export interface RunEvaluationDeps extends RunRowsDeps {
  load: (project: ProjectScope, refs: { evaluationRef: string; modelRef: string }) => Promise<RunnableEvaluation>
  findOps: FindEvaluationOps
  predictFor: (ops: EvaluationOps) => Predict
  calls: Pick<CallsStore, 'findLatest'>
  writer: CallsWriter
  clock: () => Micros
}

/**
 * Runs an evaluation as its clients do: a call for the run, below it one for each row and trial with the prediction and its scores, and a summary.
 * All calls of a row are written together, under ids that follow from the job, so a later attempt continues after the rows that are written.
 */
export function createRunEvaluation(deps: RunEvaluationDeps): JobHandler {
  const { load, findOps, predictFor, rows } = deps
  const runRows = createRunRows(deps)

  async function evaluate(run: EvaluationRun, calls: RunCalls, { isStarted, context }: { isStarted: boolean; context: JobContext }) {
    const evaluation = await load(run.project, run)
    const rowCount = await rows.count(run.project, evaluation.table)
    checkPredictions(rowCount, evaluation.trials)
    const ops = await findOps(run.project, evaluation, run.userId)
    if (!isStarted) await calls.start({ opRef: ops.evaluate, displayName: evaluation.displayName })
    const columns = createRunColumns(evaluation.scorers)
    const { signal } = context
    const attempt = { run, calls, evaluation, ops, predict: predictFor(ops), signal, columns, total: calls.newScope() }
    await runRows(attempt, { rowCount, onRow: countRows(context, rowCount * evaluation.trials) })
    await summarize(attempt)
  }

  return async (job, context) => {
    const run = toRun(job)
    const calls = createRunCalls(run, deps)
    const stored = await calls.find()
    if (stored !== undefined && stored.ended_at !== null) return null
    try {
      await evaluate(run, calls, { isStarted: stored !== undefined, context })
    } catch (error) {
      if (context.signal.aborted || error instanceof JobAborted) throw error
      if (error instanceof StoreError && job.attempt < job.maxAttempts) throw error
      const cause = error instanceof Error ? error : new Error(String(error))
      await calls.fail(cause)
      throw new JobFailure(`${cause.name}: ${cause.message}`, { isPermanent: true, cause })
    }
    return null
  }
}

function toRun({ id, project, payload }: RunningJob): EvaluationRun {
  const { evaluation_ref, model_ref, user_id } = payload as RunPayload
  return { id, project, evaluationRef: evaluation_ref, modelRef: model_ref, userId: user_id }
}

/** Reports progress after each of `total` rows. */
function countRows({ progress }: JobContext, total: number): () => void {
  let completed = 0
  return () => progress(++completed / total, { completed, total })
}

/** Writes the summaries of the scorers and of the run, which ends the run. */
async function summarize({ calls, evaluation, ops, columns, total }: RunAttempt): Promise<void> {
  const { output, ofScorers } = columns.summarize()
  const scope = calls.newScope()
  await recordCall(scope, { name: 'summarize', opRef: ops.summarize, inputs: { self: evaluation.ref } }, async (summary) => {
    for (const [at, scorer] of evaluation.scorers.entries()) {
      const spec = { name: scorer.ref, opRef: ops.summarizeScorer(scorer), inputs: { self: scorer.ref } }
      await recordCall(summary, spec, async () => ofScorers[at] ?? null)
    }
    return output
  })
  addCounts(total, scope)
  total.counts.success++
  await calls.complete(scope, { output, total })
}
