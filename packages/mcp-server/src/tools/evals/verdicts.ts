import type { EvalResultsRow } from '@heddle/core-api/types'
import {
  createMeasuredResults,
  type Interval,
  latencyMeasure,
  type Measure,
  pairedDifference,
  pairRows,
  scoresFirst,
  tokensMeasure,
  TooManyScores,
} from '@heddle/evaluations'
import { ToolError } from '../../answer/tool-error.ts'
import { round } from './headline-scores.ts'
import { isOfScorer } from './score-values.ts'

/** The compared runs. */
export interface ComparedRuns {
  baseline: string
  candidates: readonly string[]
  /** A score, or a scorer with all its scores; undefined for all. */
  scorer: string | undefined
}

/** Whether one score of a candidate is better than the baseline's. */
export interface ScoreVerdict {
  evaluation_call_id: string
  score: string
  /** `better` and `worse` where the interval does not hold 0. */
  verdict: 'better' | 'worse' | 'no evidence'
  /** Mean over the rows that both have. */
  delta: number
  /** At 95 %; null with too few rows. */
  interval: number[] | null
  paired_rows: number
  baseline: number
  candidate: number
}

/** As the command and the pages compare runs by default. */
const statistics = { confidence: 0.95, seed: 1 }

/** A verdict for each score that a candidate and the baseline share, the worst first. @throws ToolError for runs of too many scores */
export function verdictsOf(rows: readonly EvalResultsRow[], { baseline, candidates, scorer }: ComparedRuns): ScoreVerdict[] {
  const [before, ...others] = measure(rows, [baseline, ...candidates])
  const verdicts = others.flatMap((run, at) =>
    run.flatMap((score) => {
      const own = before?.find(({ name }) => name === score.name)
      const verdict = own && isOfScorer(score.name, scorer) ? verdictOf(own, score) : undefined
      return verdict ? [{ evaluation_call_id: candidates[at] ?? '', ...verdict }] : []
    }),
  )
  return verdicts.toSorted((one, other) => one.delta - other.delta || (one.score < other.score ? -1 : 1))
}

/** The scores of each run. */
function measure(rows: readonly EvalResultsRow[], runs: readonly string[]): Measure[][] {
  const results = createMeasuredResults(runs, [])
  try {
    for (const row of rows) results.add(row)
  } catch (error) {
    if (!(error instanceof TooManyScores)) throw error
    throw new ToolError('bad_request', error.message, 'Compare fewer runs at a time.')
  }
  // Latency and tokens are not scores: lower is better.
  return results.runs.map((run) => scoresFirst(run).filter(({ name }) => name !== latencyMeasure && name !== tokensMeasure))
}

function verdictOf(before: Measure, after: Measure): Omit<ScoreVerdict, 'evaluation_call_id'> | undefined {
  const pairs = pairRows(before, after)
  const compared = pairedDifference(before, after, statistics)
  if (compared === undefined) return undefined
  const { value, interval } = compared.difference
  const mean = (of: 'a' | 'b') => round(pairs.reduce((sum, pair) => sum + pair[of], 0) / pairs.length)
  return {
    score: after.name,
    verdict: told(interval),
    delta: round(value),
    interval: interval && [round(interval.low), round(interval.high)],
    paired_rows: compared.paired_rows,
    baseline: mean('a'),
    candidate: mean('b'),
  }
}

function told(interval: Interval | null): ScoreVerdict['verdict'] {
  if (interval === null || (interval.low <= 0 && interval.high >= 0)) return 'no evidence'
  return interval.low > 0 ? 'better' : 'worse'
}
