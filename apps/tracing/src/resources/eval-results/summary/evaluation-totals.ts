import type { EvalSummary } from '@heddle/core-api'
import type { EvalTrial } from '@heddle/core-api'
import type { GroupedTrial, TrialGroup } from '../../../query/results/summary-query.ts'
import { leavesOf } from '../../calls/results/score-leaves.ts'
import { kindOf } from '../../calls/results/score-shape.ts'
import { compareTexts } from './compare-texts.ts'
import type { GroupRuling } from './family-rulings.ts'
import { createScoreTotals } from './score-totals.ts'

type Counted = Pick<EvalSummary, 'trial_count' | 'scorer_stats' | 'predict_total_tokens' | 'predict_total_cost'>

/** What a summary tells of one evaluation, while its trials are counted. */
export interface EvaluationTotals {
  addGroup(group: TrialGroup, ruling: GroupRuling): void
  addTrial(key: GroupedTrial, trial: EvalTrial): void
  addCost(cost: number): void
  /** Digest of the first row. */
  firstRow(): string
  finish(): Counted
}

export function createEvaluationTotals(): EvaluationTotals {
  const scores = createScoreTotals()
  let trialCount = 0
  let tokens: number | null = null
  let costs: number | null = null
  let firstRow: string | undefined

  function seeRow(digest: string): void {
    if (firstRow === undefined || compareTexts(digest, firstRow) < 0) firstRow = digest
  }
  function addTokens(told: number | null): void {
    if (told !== null) tokens = (tokens ?? 0) + told
  }
  function addCost(cost: number): void {
    costs = (costs ?? 0) + cost
  }

  return {
    addGroup(group, { shape, predictKind }) {
      const { trials, sums, first } = group
      trialCount += trials
      seeRow(group.first_row)
      addTokens(tokensOf(group, predictKind))
      shape.leaves.forEach((leaf, at) => scores.add(leaf, { trials, sum: sums[at] ?? 0, first: { trial: first, at } }))
    },
    addTrial(key, { scores: given, total_tokens, total_cost }) {
      trialCount++
      seeRow(key.row_digest)
      addTokens(total_tokens)
      if (total_cost !== null) addCost(total_cost)
      const trial = orderOf(key)
      let at = 0
      for (const { value, ...dimension } of leavesOf(given)) {
        const sum = value === 'text' ? 0 : Number(value)
        scores.add({ ...dimension, kind: kindOf(value) }, { trials: 1, sum, first: { trial, at: at++ } })
      }
    },
    addCost,
    firstRow: () => firstRow ?? '',
    finish: () => ({
      trial_count: trialCount,
      scorer_stats: scores.finish(),
      predict_total_tokens: tokens,
      predict_total_cost: costs,
    }),
  }
}

/** Tokens of the predict calls of a group, or of the trials themselves where they have none; null where none of them tells any. */
function tokensOf({ own_known, own_tokens, known_below, tokens_below }: TrialGroup, predictKind: string | null): number | null {
  if (predictKind === null) return own_known === 0 ? null : own_tokens
  const at = tokens_below[0].indexOf(predictKind)
  return known_below[0].includes(predictKind) ? (tokens_below[1][at] ?? 0) : null
}

/** Sorts a trial among the first ones of groups, as the engine writes these. */
function orderOf({ row_digest, started_micros, id }: GroupedTrial): string {
  return `${row_digest}\0${BigInt(started_micros) + 4_611_686_018_427_387_904n}${id}`
}
