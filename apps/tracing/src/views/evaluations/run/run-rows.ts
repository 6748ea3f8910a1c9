import { isJsonObject } from '@heddle/core-api/internal'
import { type CallRow, StoreError } from '@heddle/datastore'
import { parseJson } from '@heddle/json'
import { addCounts, type CallScope, readSummary } from '../../../domain/scoring/call-scope.ts'
import { derivedId } from '../../../domain/scoring/derived-id.ts'
import type { Predict } from '../../../domain/scoring/model/predict.ts'
import type { ScoreFeedback, StoreScores } from '../../../domain/scoring/score-feedback.ts'
import type { DatasetRow, DatasetRows } from './dataset-rows.ts'
import { evaluateRow, type RowFeedback, type RowOutput, type RowTask } from './evaluate-row.ts'
import type { EvaluationOps } from './evaluation-ops.ts'
import type { RunnableEvaluation } from './load-evaluation.ts'
import type { EvaluationRun, RunCalls } from './run-calls.ts'
import type { RunColumns } from './run-columns.ts'

/** Rows that are predicted at the same time. */
const rowsAtOnce = 8

/** One attempt at a run. */
export interface RunAttempt {
  run: EvaluationRun
  calls: RunCalls
  evaluation: RunnableEvaluation
  ops: EvaluationOps
  predict: Predict
  signal: AbortSignal
  /** Collects the results of the rows. */
  columns: RunColumns
  /** Counts tokens and outcomes of all rows. */
  total: CallScope
}

export interface RunRowsDeps {
  rows: DatasetRows
  storeScores: StoreScores
}

/** A row in a trial, with its index among all rows of the run and the id of its call. */
interface PlacedTask extends RowTask {
  position: number
  callId: string
}

/** Predicts and scores each row of the dataset in each trial. A row whose calls an earlier attempt has written is taken from them. */
export function createRunRows({ rows, storeScores }: RunRowsDeps) {
  async function evaluate(attempt: RunAttempt, task: PlacedTask): Promise<void> {
    const { calls, evaluation, ops, predict, signal, columns, total } = attempt
    const scope = calls.newScope()
    const evaluated = await evaluateRow(scope, task, { evaluation, ops, predict, signal }).catch((error: unknown) => {
      // An interruption or a failure of the store is not a result of the row.
      if (signal.aborted || error instanceof StoreError) throw error
      return undefined
    })
    await calls.write(scope)
    addCounts(total, scope)
    columns.add(task.position, evaluated?.output ?? null)
    if (evaluated !== undefined) await storeScores(attempt.run.project, toFeedback(attempt.run, task, evaluated.feedback))
  }

  /** Stores the feedback of a written row again: the attempt may have ended between the two writes. */
  async function takeWritten({ run, calls, evaluation, columns, total }: RunAttempt, task: PlacedTask, call: CallRow): Promise<void> {
    addCounts(total, readSummary(parseJson(call.summary || '{}')))
    const row = readRowOutput(call)
    columns.add(task.position, row)
    if (row === null) return
    const idOf = (name: string) => calls.idOf(`${task.name}/${name}`)
    const scores = evaluation.scorers.flatMap((scorer) =>
      Object.hasOwn(row.scores, scorer.name) ? [{ scorer, value: row.scores[scorer.name], callId: idOf(scorer.ref) }] : [],
    )
    await storeScores(run.project, toFeedback(run, task, { predictCallId: idOf('predict'), scores }))
  }

  async function evaluatePage(attempt: RunAttempt, tasks: readonly PlacedTask[], onRow: () => void): Promise<void> {
    const written = await attempt.calls.findWritten(tasks.map(({ callId }) => callId))
    await forEachAtOnce(tasks, rowsAtOnce, async (task) => {
      const call = written.get(task.callId)
      await (call === undefined ? evaluate(attempt, task) : takeWritten(attempt, task, call))
      onRow()
    })
  }

  /** `onRow` is called after each row of each trial. @throws what aborted the signal, and StoreError */
  return async (attempt: RunAttempt, { rowCount, onRow }: { rowCount: number; onRow: () => void }): Promise<void> => {
    const { run, evaluation, signal } = attempt
    for (let trial = 0; trial < evaluation.trials; trial++) {
      for await (const page of rows.read(run.project, evaluation.table)) {
        signal.throwIfAborted()
        const tasks = page.map((row) => toTask(attempt, row, { trial, rowCount }))
        await evaluatePage(attempt, tasks, onRow)
      }
    }
  }
}

function toTask(
  { calls, evaluation }: RunAttempt,
  { position, digest, row }: DatasetRow,
  { trial, rowCount }: { trial: number; rowCount: number },
): PlacedTask {
  const name = `${trial}/${position}`
  return { name, ref: evaluation.rowRef(digest), row, position: trial * rowCount + position, callId: calls.idOf(name) }
}

/** Output of the call of a row; null if the row failed. */
function readRowOutput({ output, exception }: CallRow): RowOutput | null {
  const value: unknown = parseJson(output)
  return exception === null && isJsonObject(value) ? (value as unknown as RowOutput) : null
}

function toFeedback({ id, userId }: EvaluationRun, task: RowTask, { predictCallId, scores }: RowFeedback): ScoreFeedback[] {
  return scores.map(({ scorer, value, callId }) => ({
    id: derivedId(id, `feedback/${task.name}/${scorer.ref}`),
    callId: predictCallId,
    scorerRef: scorer.ref,
    scoreCallId: callId,
    value,
    userId,
  }))
}

/**
 * Calls `work` for the items in their order, at most `atOnce` at a time. After the first failure no further item is started; the failure is thrown
 * when the running ones have ended.
 */
export async function forEachAtOnce<T>(items: Iterable<T>, atOnce: number, work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]()
  let hasFailed = false
  const workOn = async () => {
    for (let next = rest.next(); !hasFailed && next.done !== true; next = rest.next()) {
      await work(next.value).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  }
  const outcomes = await Promise.allSettled(Array.from({ length: atOnce }, workOn))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}
