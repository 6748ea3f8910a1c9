import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import {
  createMeasuredResults,
  latencyMeasure,
  type MeasuredRun,
  scoresFirst,
  scoreValues,
  tokensMeasure,
  valueAt,
} from '@heddle/evaluations'
import { sum } from '../../lib/sum.ts'
import { type ClassChoice, isOfClass } from './classes/class-choice.ts'
import { isLowerBetter } from './measure-text.ts'
import { type RowChoice, rowChoices, type RowOrder } from './rows/row-choices.ts'
import { isInRanges, type ScoreRanges } from './rows/score-range.ts'

/** A row in one run. */
export interface RunCell {
  trials: readonly EvalTrial[]
  /** Trials without an output: the model failed, or still runs. */
  failed: number
}

/** A row of the dataset in all runs that are compared. */
export interface MatrixRow {
  /** Its index in the measures. */
  place: number
  row: EvalResultsRow
  /** In the order of the runs; undefined where a run has not had the row. */
  cells: readonly (RunCell | undefined)[]
}

export interface ComparedRuns {
  /** The measures of each run, in their order. */
  runs: readonly MeasuredRun[]
  rows: readonly MatrixRow[]
  /** Names of all measures, scores first. */
  names: readonly string[]
  /** Rows that every run has. */
  shared: number
}

/** Pairs the rows of runs. `ids` in the order of the columns. */
export function pairRuns(ids: readonly string[], results: readonly EvalResultsRow[]): ComparedRuns {
  const measured = createMeasuredResults(ids, [])
  const rows = results.map((row, place): MatrixRow => {
    measured.add(row)
    return { place, row, cells: ids.map((id) => toCell(row, id)) }
  })
  const { runs } = measured
  const names = [...new Set(runs.flatMap((run) => scoresFirst(run).map(({ name }) => name)))]
  return { runs, rows, names: scoresBeforeOthers(names), shared: rows.filter(({ cells }) => cells.every(Boolean)).length }
}

const scoresBeforeOthers = (names: readonly string[]) => [...names.filter((name) => !isLowerBetter(name)), ...names.filter(isLowerBetter)]

function toCell({ evaluations }: EvalResultsRow, id: string): RunCell | undefined {
  const trials = evaluations.find(({ evaluation_call_id }) => evaluation_call_id === id)?.trials
  return trials && { trials, failed: trials.filter(({ model_output }) => model_output === null).length }
}

/** The mean of a measure in a row for each run; NaN without one. */
export function valuesInRow(runs: readonly MeasuredRun[], name: string, place: number): number[] {
  return runs.map(({ measures }) => {
    const measure = measures.get(name)
    return measure ? valueAt(measure, place) : Number.NaN
  })
}

/** Statistics of a measure over the trials of a row, if several have a value: their mean, standard deviation and number. */
export interface Spread {
  mean: number
  deviation: number
  count: number
}

/** Undefined where fewer than two trials of the cell have a value. */
export function spreadInCell(cell: RunCell | undefined, name: string): Spread | undefined {
  if (!cell || cell.trials.length < 2) return undefined
  const values = cell.trials.flatMap((trial) => valueOfTrial(trial, name) ?? [])
  if (values.length < 2) return undefined
  const mean = sum(values) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  return { mean, deviation: Math.sqrt(squares / (values.length - 1)), count: values.length }
}

/** A score with the name takes precedence over latency and tokens, as in the measures. */
function valueOfTrial({ scores, model_latency_seconds, total_tokens }: EvalTrial, name: string): number | undefined {
  const score = scoreValues(scores).find((one) => one.name === name)
  if (score) return Number(score.value)
  const other = name === latencyMeasure ? model_latency_seconds : name === tokensMeasure ? total_tokens : null
  return other === null ? undefined : Number(other)
}

export interface ChosenRows {
  choice: RowChoice
  /** The measure by which rows are chosen and ordered. */
  name: string
  order: RowOrder
  /** Ranges in all of which the values of a row must be. Default: any. */
  within?: readonly ScoreRanges[]
  /** Class of which a trial of the row must be. Default: any. */
  ofClass?: ClassChoice | undefined
}

/** The selected rows of a comparison. With more than two runs, the run that changed most decides. */
export function chooseRows({ runs, rows }: ComparedRuns, { choice, name, order, within = [], ofClass }: ChosenRows): MatrixRow[] {
  const changes = new Map(rows.map((row) => [row, changeOf(valuesInRow(runs, name, row.place), name)]))
  const change = (row: MatrixRow) => changes.get(row) ?? Number.NaN
  const chosen = rows.filter(
    (row) =>
      isChosenRow(row, choice, change(row)) &&
      within.every((ranges) => isInRanges(runs, ranges, row.place)) &&
      (!ofClass || isOfClass(row, ofClass)),
  )
  if (order === 'row') return chosen
  if (order === 'worst') return worstFirst(chosen, runs, name)
  return chosen.toSorted((a, b) => kindOf(change(a)) - kindOf(change(b)) || sizeOf(change(b)) - sizeOf(change(a)) || a.place - b.place)
}

/** How many rows each choice by a measure has. */
export function countChoices({ runs, rows }: ComparedRuns, name: string): Readonly<Record<RowChoice, number>> {
  const counts = Object.fromEntries(rowChoices.map((choice) => [choice, 0])) as Record<RowChoice, number>
  for (const row of rows) {
    const change = changeOf(valuesInRow(runs, name, row.place), name)
    for (const choice of rowChoices) if (isChosenRow(row, choice, change)) counts[choice]++
  }
  return counts
}

/** Rows without a value in the last run sort last. */
function worstFirst(rows: readonly MatrixRow[], runs: readonly MeasuredRun[], name: string): MatrixRow[] {
  const values = new Map(rows.map((row) => [row, goodness(valuesInRow(runs, name, row.place).at(-1) ?? Number.NaN, name)]))
  const value = (row: MatrixRow) => values.get(row) ?? Number.POSITIVE_INFINITY
  return rows.toSorted((a, b) => (value(a) === value(b) ? a.place - b.place : value(a) < value(b) ? -1 : 1))
}

/** Of latency and tokens less is better. */
function goodness(value: number, name: string): number {
  if (Number.isNaN(value)) return Number.POSITIVE_INFINITY
  return isLowerBetter(name) ? -value : value
}

/** Decreases sort before increases, and rows without a value in both last. */
function kindOf(change: number): number {
  if (Number.isNaN(change)) return 3
  return change < 0 ? 0 : change > 0 ? 1 : 2
}

const sizeOf = (change: number) => (Number.isNaN(change) ? 0 : Math.abs(change))

function isChosenRow({ cells }: MatrixRow, choice: RowChoice, change: number): boolean {
  if (choice === 'shared') return cells.every(Boolean)
  if (choice === 'errors') return cells.some((cell) => cell !== undefined && cell.failed > 0)
  if (choice === 'regressions') return change < 0
  if (choice === 'improvements') return change > 0
  return choice === 'all' || (!Number.isNaN(change) && change !== 0)
}

/** The largest change from the first run, below 0 where it is for the worse: of latency and tokens less is better. NaN without a pair. */
export function changeOf(values: readonly number[], name: string): number {
  const [first = Number.NaN, ...others] = values
  const changes = others.map((value) => (isLowerBetter(name) ? first - value : value - first)).filter((change) => !Number.isNaN(change))
  return changes.length === 0 ? Number.NaN : changes.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most))
}
