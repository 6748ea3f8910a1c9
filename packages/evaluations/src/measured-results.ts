import type { EvalResultsRow, EvalTrial } from '@heddle/core-api/types'
import { isChosen } from './is-chosen.ts'
import { latencyMeasure, type Measure, type MeasuredRun, tokensMeasure } from './measure.ts'
import { type ScoreValue, scoreValues } from './score-values.ts'

/** Different names of scores in one run, and means held at a time (8 bytes each). */
const maxMeasures = 1_000
const maxMeans = 20_000_000

/** Runs have more scores than can be held at a time. The caller can select some. */
export class TooManyScores extends Error {
  override readonly name = 'TooManyScores'
}

/** The rows of runs, paired by their digest. */
export interface MeasuredResults {
  /** By index of the row. */
  digests: string[]
  /** In the order of the ids, with the rows so far. */
  readonly runs: MeasuredRun[]
  /** Adds the next row. @throws TooManyScores beyond 1000 names in a run, or 20 million means */
  add(row: EvalResultsRow): void
}

/** Collects means of rows. `scorers` are the scores to take, by name or by that of their scorer; empty means all. */
export function createMeasuredResults(ids: readonly string[], scorers: readonly string[]): MeasuredResults {
  const digests: string[] = []
  const runs = ids.map((): MeasuredRun => ({ rows: 0, trials: 0, measures: new Map() }))
  /** Whether a trial took time: trials recorded after the fact begin and end at the same time. */
  const areTimed = ids.map(() => false)
  let means = 0
  return {
    digests,
    get runs() {
      return runs.map((run, index) => (areTimed[index] ? run : withoutLatency(run)))
    },
    add({ row_digest, evaluations }) {
      const place = digests.push(row_digest) - 1
      for (const [index, run] of runs.entries()) {
        const trials = evaluations.find(({ evaluation_call_id }) => evaluation_call_id === ids[index])?.trials
        if (!trials) continue
        run.rows++
        run.trials += trials.length
        means += addTrials(run, trials, { place, scorers })
        areTimed[index] ||= trials.some(isTimed)
      }
      if (means > maxMeans) throw new TooManyScores(`the runs have more than ${maxMeans} scores`)
    },
  }
}

function isTimed({ scores, model_latency_seconds: latency }: EvalTrial): boolean {
  return latencyMeasure in scores || (latency !== null && Number(latency) !== 0)
}

function withoutLatency(run: MeasuredRun): MeasuredRun {
  return { ...run, measures: new Map([...run.measures].filter(([name]) => name !== latencyMeasure)) }
}

/** Adds the row with this index to the run, and returns how many means it has. */
function addTrials(
  run: MeasuredRun,
  trials: readonly EvalTrial[],
  { place, scorers }: { place: number; scorers: readonly string[] },
): number {
  const row = new Map<string, { sum: number; count: number }>()
  for (const trial of trials) {
    for (const { name, value } of valuesOfTrial(trial)) {
      if (!isTaken(name, scorers)) continue
      const measure = measureOf(run, name)
      measure.trials++
      measure.isRate &&= typeof value === 'boolean'
      const known = row.get(name)
      if (!known) {
        row.set(name, { sum: Number(value), count: 1 })
        continue
      }
      known.sum += Number(value)
      known.count++
    }
  }
  for (const [name, { sum, count }] of row) {
    const measure = measureOf(run, name)
    measure.isSingle &&= count === 1
    while (measure.byRow.length < place) measure.byRow.push(Number.NaN)
    measure.byRow.push(sum / count)
  }
  return row.size
}

function valuesOfTrial({ scores, model_latency_seconds, total_tokens }: EvalTrial): ScoreValue[] {
  const values = scoreValues(scores)
  if (model_latency_seconds !== null && !(latencyMeasure in scores))
    values.push({ name: latencyMeasure, value: Number(model_latency_seconds) })
  if (total_tokens !== null && !(tokensMeasure in scores)) values.push({ name: tokensMeasure, value: Number(total_tokens) })
  return values
}

/** Latency and tokens are always taken. */
function isTaken(name: string, scorers: readonly string[]): boolean {
  return name === latencyMeasure || name === tokensMeasure || isChosen(name, scorers)
}

function measureOf({ measures }: MeasuredRun, name: string): Measure {
  const known = measures.get(name)
  if (known) return known
  if (measures.size === maxMeasures) throw new TooManyScores(`the run has more than ${maxMeasures} scores`)
  const measure: Measure = { name, byRow: [], trials: 0, isRate: true, isSingle: true }
  measures.set(name, measure)
  return measure
}
