import type { JsonObject } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import { type CallRow, type Micros, StoreError } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { JobAborted, type JobContext, JobFailure, type JobHandler, type RunningJob } from '@heddle/jobs'
import { parseJson } from '@heddle/json'
import { evaluateOp } from '../../../evaluation-calls/op-names.ts'
import { addCounts, type CallScope, type Recording, readSummary, rootScope, summaryOf, recordCall } from '../../../scoring/call-scope.ts'
import { derivedId } from '../../../scoring/derived-id.ts'
import { forEachAtOnce } from '../../../scoring/for-each-at-once.ts'
import type { Predict } from '../../../scoring/predict.ts'
import type { StoreScores } from '../../../scoring/score-feedback.ts'
import type { CallsStore } from '../../calls/calls-store.ts'
import { type CallChange, completeChange, endChange, startChange } from '../../calls/write/call-change.ts'
import type { CallsWriter } from '../../calls/write/calls-writer.ts'
import type { DatasetRows } from './dataset-rows.ts'
import { type EvaluationOps, evaluateRow, type RowFeedback, type RowOutput, type RowTask } from './evaluate-row.ts'
import { checkPredictions, type RunnableEvaluation } from './load-evaluation.ts'
import { createRunColumns, type RunColumns } from './run-columns.ts'

/** Rows that are predicted at the same time. */
const rowsAtOnce = 8

/** What a job is given. Its id is that of the call of the run. */
export interface RunPayload {
  evaluation_ref: string
  model_ref: string
  user_id: string
}

export interface RunEvaluationDeps {
  load: (project: ProjectScope, refs: { evaluationRef: string; modelRef: string }) => Promise<RunnableEvaluation>
  opsFor: (project: ProjectScope, evaluation: RunnableEvaluation, userId: string) => Promise<EvaluationOps>
  predictFor: (ops: EvaluationOps) => Predict
  storeScores: StoreScores
  rows: DatasetRows
  calls: Pick<CallsStore, 'findLatest'>
  writer: CallsWriter
  clock: () => Micros
}

/** One attempt at a run. */
interface Attempt {
  job: RunningJob
  payload: RunPayload
  context: JobContext
  evaluation: RunnableEvaluation
  ops: EvaluationOps
  columns: RunColumns
  /** What the rows came to so far. */
  total: CallScope
}

/**
 * Runs an evaluation as its clients do: a call for the run, below it one for each row and trial with the prediction and its scores, and a summary.
 * All calls of a row are written as one step under ids that follow from the job, so a repeated attempt goes on behind the rows that are there.
 */
export function createRunEvaluation(deps: RunEvaluationDeps): JobHandler {
  const { load, opsFor, predictFor, rows, calls, writer, clock, storeScores } = deps

  async function runRow(
    { job, payload, context, evaluation, ops, columns, total }: Attempt,
    task: RowTask & { position: number },
  ): Promise<void> {
    const recording = newRecording(job.id, payload.user_id, clock)
    const root = rootScope(recording, { id: job.id, name: 'run' })
    const done = await evaluateRow(root, task, { evaluation, ops, predict: predictFor(ops), signal: context.signal }).catch(
      (error: unknown) => {
        // What interrupts the run, or fails in the store, says nothing about the row.
        if (context.signal.aborted || error instanceof StoreError) throw error
        return undefined
      },
    )
    await writer.write([{ project: job.project, changes: recording.calls }])
    addCounts(total, root)
    columns.add(task.position, done?.output ?? null)
    if (done !== undefined) await storeScores(job.project, toScores(job.id, payload.user_id, done.feedback, task.name))
  }

  /** Takes over a row that an attempt before has written. */
  async function takeRow(
    { job, payload, evaluation, columns, total }: Attempt,
    stored: CallRow,
    task: RowTask & { position: number },
  ): Promise<void> {
    const output: unknown = parseJson(stored.output)
    addCounts(total, readSummary(parseJson(stored.summary || '{}')))
    if (stored.exception !== null || !isJsonObject(output)) return columns.add(task.position, null)
    const row = output as unknown as RowOutput
    columns.add(task.position, row)
    const idOf = (name: string) => derivedId(job.id, `run/${task.name}/${name}`)
    const scores = evaluation.scorers.flatMap((scorer) =>
      Object.hasOwn(row.scores, scorer.name) ? [{ scorer, value: row.scores[scorer.name], callId: idOf(scorer.ref) }] : [],
    )
    await storeScores(job.project, toScores(job.id, payload.user_id, { predictCallId: idOf('predict'), scores }, task.name))
  }

  async function runTrial(attempt: Attempt, trial: number, { rowCount, onRow }: { rowCount: number; onRow: () => void }): Promise<void> {
    const { job, context, evaluation } = attempt
    for await (const page of rows.read(job.project, evaluation.table)) {
      context.signal.throwIfAborted()
      const tasks = page.map(({ position, digest, row }) => {
        const name = `${trial}/${position}`
        return { name, ref: evaluation.rowRef(digest), row, position: trial * rowCount + position, id: derivedId(job.id, `run/${name}`) }
      })
      const stored = await calls.findLatest(
        job.project,
        tasks.map(({ id }) => id),
      )
      const before = new Map(stored.map((row) => [row.id, row]))
      await forEachAtOnce(tasks, rowsAtOnce, async (task) => {
        const known = before.get(task.id)
        await (known === undefined ? runRow(attempt, task) : takeRow(attempt, known, task))
        onRow()
      })
    }
  }

  /** The calls that end a run, as one step. */
  async function finish({ job, payload, evaluation, ops, columns, total }: Attempt): Promise<void> {
    const { output, ofScorers } = columns.summarize()
    const recording = newRecording(job.id, payload.user_id, clock)
    const root = rootScope(recording, { id: job.id, name: 'run' })
    await recordCall(root, { name: 'summarize', opRef: ops.summarize, inputs: { self: evaluation.ref } }, async (scope) => {
      for (const [at, scorer] of evaluation.scorers.entries()) {
        const spec = { name: scorer.ref, opRef: ops.summarizeScorer(scorer), inputs: { self: scorer.ref } }
        await recordCall(scope, spec, async () => ofScorers[at] ?? null)
      }
      return output
    })
    addCounts(total, root)
    total.counts.success++
    const end = endChange(job.id, { ended_at: clock(), output, summary: summaryOf(total) })
    await writer.write([{ project: job.project, changes: [...recording.calls, end] }])
  }

  async function run(job: RunningJob, payload: RunPayload, context: JobContext, started: CallRow | undefined): Promise<void> {
    const evaluation = await load(job.project, { evaluationRef: payload.evaluation_ref, modelRef: payload.model_ref })
    const rowCount = await rows.count(job.project, evaluation.table)
    checkPredictions(rowCount, evaluation.trials)
    const ops = await opsFor(job.project, evaluation, payload.user_id)
    if (started === undefined) {
      const start = startOf(job, payload, { opRef: ops.evaluate, displayName: evaluation.displayName, at: clock() })
      await writer.write([{ project: job.project, changes: [startChange(job.id, start)] }])
    }
    const total = rootScope(newRecording(job.id, payload.user_id, clock), { id: job.id, name: 'run' })
    const attempt: Attempt = { job, payload, context, evaluation, ops, columns: createRunColumns(evaluation.scorers), total }
    let done = 0
    const all = rowCount * evaluation.trials
    const onRow = () => context.progress(all === 0 ? 1 : ++done / all, { completed: done, total: all })
    for (let trial = 0; trial < evaluation.trials; trial++) await runTrial(attempt, trial, { rowCount, onRow })
    await finish(attempt)
  }

  /** Ends the call of a run that cannot be completed, so that its status says why. */
  async function fail(
    job: RunningJob,
    payload: RunPayload,
    { started, error }: { started: CallRow | undefined; error: Error },
  ): Promise<void> {
    const exception = `${error.name}: ${error.message}`
    const end = { ended_at: clock(), exception, output: null, summary: {} }
    const change: CallChange =
      started === undefined
        ? completeChange(job.id, startOf(job, payload, { opRef: evaluateOp, displayName: null, at: clock() }), end)
        : endChange(job.id, end)
    await writer.write([{ project: job.project, changes: [change] }])
  }

  return async (job, context) => {
    const payload = job.payload as RunPayload
    const find = async () => (await calls.findLatest(job.project, [job.id]))[0]
    const started = await find()
    if (started !== undefined && started.ended_at !== null) return null
    try {
      await run(job, payload, context, started)
    } catch (error) {
      if (context.signal.aborted || error instanceof JobAborted) throw error
      const mayHelp = error instanceof StoreError && job.attempt < job.maxAttempts
      if (mayHelp) throw error
      const cause = error instanceof Error ? error : new Error(String(error))
      await fail(job, payload, { started: await find(), error: cause })
      throw new JobFailure(`${cause.name}: ${cause.message}`, { isPermanent: true, cause })
    }
    return null
  }
}

function newRecording(jobId: string, userId: string, clock: () => Micros): Recording {
  return { traceId: jobId, userId, attributes: workerMark, clock, idOf: (name) => derivedId(jobId, name), calls: [] }
}

/** Marks the calls of evaluations that a server ran. */
const workerMark: JsonObject = { _weave_eval_meta: { evaluate_model_worker: true } }

interface RunStart {
  opRef: string
  displayName: string | null
  at: Micros
}

function startOf(job: RunningJob, payload: RunPayload, { opRef, displayName, at }: RunStart) {
  return {
    trace_id: job.id,
    op_name: opRef,
    display_name: displayName,
    started_at: at,
    attributes: workerMark,
    inputs: { self: payload.evaluation_ref, model: payload.model_ref },
    otel: null,
    wb_user_id: payload.user_id,
  }
}

function toScores(jobId: string, userId: string, { predictCallId, scores }: RowFeedback, task: string) {
  return scores.map(({ scorer, value, callId }) => ({
    id: derivedId(jobId, `feedback/${task}/${scorer.ref}`),
    callId: predictCallId,
    scorerRef: scorer.ref,
    scoreCallId: callId,
    value,
    userId,
  }))
}
