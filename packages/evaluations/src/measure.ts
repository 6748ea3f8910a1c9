/** Names of measures other than scores: latency of the predict call, in seconds, and its tokens. */
export const latencyMeasure = 'model_latency_seconds'
export const tokensMeasure = 'total_tokens'

/** Values of one name, such as a score, in one run. */
export interface Measure {
  name: string
  /** Mean of the row's trials that have a value, by index of the row; NaN without any. May end before the last row. */
  byRow: number[]
  /** Trials that have a value. */
  trials: number
  /** All values are booleans, which count as 1 and 0: the mean is a rate. */
  isRate: boolean
  /** No row has a value in more than one trial. */
  isSingle: boolean
}

/** The measures of one run. */
export interface MeasuredRun {
  rows: number
  trials: number
  /** By name: scores in the order in which they first occur, and latency and tokens where known. */
  measures: Map<string, Measure>
}

/** The mean of a row; NaN if it has none. */
export function valueAt({ byRow }: Measure, row: number): number {
  return byRow[row] ?? Number.NaN
}

/** The values of the rows that have one. */
export function valuesOf({ byRow }: Measure): number[] {
  return byRow.filter((value) => !Number.isNaN(value))
}

/** The measures with latency and tokens at the end. */
export function scoresFirst({ measures }: MeasuredRun): Measure[] {
  const isScore = ({ name }: Measure) => name !== latencyMeasure && name !== tokensMeasure
  const all = [...measures.values()]
  return [...all.filter(isScore), ...all.filter((measure) => !isScore(measure))]
}

/** The run with the measures of these names alone. */
export function pickMeasures(run: MeasuredRun, names: readonly string[]): MeasuredRun {
  return { ...run, measures: new Map([...run.measures].filter(([name]) => names.includes(name))) }
}
