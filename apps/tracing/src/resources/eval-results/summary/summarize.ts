import { type EvalResults, type EvalSummary, formatTimestamp } from '@heddle/core-api'
import type { StoredRoot } from '../eval-results-store.ts'
import type { EvaluationTrials } from '../rows/evaluation-trials.ts'
import type { ResultRow } from '../rows/group-rows.ts'
import { createStatsCounter, type StatsCounter } from './scorer-stats.ts'
import type { TrialMetrics } from './trial-metrics.ts'

interface Summarized {
  evaluations: readonly EvaluationTrials[]
  /** By the places of the evaluations. */
  metrics: readonly TrialMetrics[]
  roots: ReadonlyMap<string, StoredRoot>
}

/** Summarizes rows, which are in the order of their digests. */
export function summarize(rows: readonly ResultRow[], { evaluations, metrics, roots }: Summarized): NonNullable<EvalResults['summary']> {
  const counters = new Map<number, EvaluationCounter>()
  for (const row of rows) {
    for (const { index, trials } of row.evaluations) {
      const counter = counters.get(index) ?? createEvaluationCounter(metrics[index]!)
      if (!counters.has(index)) counters.set(index, counter)
      for (const trial of trials) counter.add(trial)
    }
  }
  const summaries = [...counters].map(([index, counter]) => {
    const { evaluation_call_id } = evaluations[index]!
    return { evaluation_call_id, ...counter.finish(), ...rootFields(roots.get(evaluation_call_id)) }
  })
  return { row_count: rows.length, evaluations: summaries }
}

type Counted = Pick<EvalSummary, 'trial_count' | 'scorer_stats' | 'predict_total_tokens' | 'predict_total_cost'>

interface EvaluationCounter {
  add(trial: number): void
  finish(): Counted
}

function createEvaluationCounter({ leaves, tokens, costs }: TrialMetrics): EvaluationCounter {
  /** In the order in which their first leaves come. */
  const stats = new Map<number, StatsCounter>()
  const totals = { trials: 0, tokens: createSum(), costs: createSum() }
  function count(dimension: number, kind: number, value: number): void {
    let counter = stats.get(dimension)
    if (counter === undefined) {
      counter = createStatsCounter(leaves.dimensions[dimension]!, kind)
      stats.set(dimension, counter)
    }
    counter.add(kind, value)
  }
  return {
    add(trial) {
      totals.trials++
      totals.tokens.add(tokens[trial]!)
      totals.costs.add(costs[trial]!)
      leaves.visit(trial, count)
    },
    finish: () => ({
      trial_count: totals.trials,
      scorer_stats: [...stats.values()].map((counter) => counter.finish()),
      predict_total_tokens: totals.tokens.total(),
      predict_total_cost: totals.costs.total(),
    }),
  }
}

/** Adds up numbers, leaving out NaN; null while there was none. */
function createSum() {
  let sum: number | null = null
  return {
    add(value: number): void {
      if (!Number.isNaN(value)) sum = (sum ?? 0) + value
    },
    total: () => sum,
  }
}

function rootFields(root: StoredRoot | undefined) {
  if (root === undefined) return { evaluation_ref: null, model_ref: null, display_name: null, trace_id: null, started_at: null }
  return {
    evaluation_ref: textIn(root.self) ?? textIn(root.this),
    model_ref: textIn(root.model),
    display_name: root.display_name === '' ? null : root.display_name,
    trace_id: root.trace_id,
    started_at: formatTimestamp(root.started_at).replace(/Z$/, '+00:00'),
  }
}

function textIn(json: string): string | null {
  return json.startsWith('"') ? (JSON.parse(json) as string) : null
}
