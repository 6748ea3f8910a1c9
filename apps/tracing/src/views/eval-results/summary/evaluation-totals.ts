import { compareCodePoints } from '@heddle/json'
import type { EvalSummary } from '@heddle/core-api/types'
import type { EvalTrial } from '@heddle/core-api/types'
import type { GroupedTrial, TrialGroup } from '../../../query/results/summary-query.ts'
import { toStatedSource, type UsageCost } from '../../../records/costs/cost-of-usage.ts'
import { leavesOf } from '../../../records/calls/results/score-leaves.ts'
import { kindOf } from '../../../records/calls/results/score-shape.ts'
import type { TrialGroupClass } from './classify-trial-group.ts'
import { createScoreTotals } from './score-totals.ts'

type EvaluationSummary = Pick<
  EvalSummary,
  'trial_count' | 'scorer_stats' | 'predict_total_tokens' | 'predict_total_cost' | 'priced_as' | 'reported_uses'
>

/** A cost that is part of a total, with where it is from. */
type PartOfCost = Omit<UsageCost, 'unpriced'>

/** Summary data of one evaluation, while its trials are counted. */
export interface EvaluationTotals {
  /** `isCounted`: its tokens are those that count, which are added separately. */
  addGroup(group: TrialGroup, groupClass: TrialGroupClass, isCounted: boolean): void
  addTrial(key: GroupedTrial, trial: EvalTrial): void
  addTokens(tokens: number): void
  addCost(part: PartOfCost): void
  /** Digest of the first row. */
  firstRow(): string
  finish(): EvaluationSummary
}

export function createEvaluationTotals(): EvaluationTotals {
  const scores = createScoreTotals()
  let trialCount = 0
  let tokens: number | null = null
  let costs: number | null = null
  const pricedAs = new Set<string>()
  let reported = 0
  let firstRow: string | undefined

  function seeRow(digest: string): void {
    if (firstRow === undefined || compareCodePoints(digest, firstRow) < 0) firstRow = digest
  }
  function addTokens(told: number | null): void {
    if (told !== null) tokens = (tokens ?? 0) + told
  }
  function addCost(part: PartOfCost): void {
    if (part.cost === null) return
    costs = (costs ?? 0) + part.cost
    for (const name of part.pricedAs) pricedAs.add(name)
    reported += part.reported
  }

  return {
    addGroup(group, { shape, predictKind }, isCounted) {
      const { trials, sums, first } = group
      trialCount += trials
      seeRow(group.first_row)
      const told = tokensOf(group, predictKind)
      // Where nothing counts, a group that reports 0 tokens differs from one that reports none.
      addTokens(isCounted && told !== null ? 0 : told)
      shape.leaves.forEach((leaf, at) => scores.add(leaf, { trials, sum: sums[at] ?? 0, first: { trial: first, at } }))
    },
    addTrial(key, { scores: given, total_tokens, total_cost, priced_as, reported_uses }) {
      trialCount++
      seeRow(key.row_digest)
      addTokens(total_tokens)
      addCost({ cost: total_cost, pricedAs: priced_as ?? [], reported: reported_uses ?? 0 })
      const trial = orderOf(key)
      let at = 0
      for (const { value, ...dimension } of leavesOf(given)) {
        const sum = value === 'text' ? 0 : Number(value)
        scores.add({ ...dimension, kind: kindOf(value) }, { trials: 1, sum, first: { trial, at: at++ } })
      }
    },
    addTokens,
    addCost,
    firstRow: () => firstRow ?? '',
    finish: () => ({
      trial_count: trialCount,
      scorer_stats: scores.finish(),
      predict_total_tokens: tokens,
      predict_total_cost: costs,
      ...toStatedSource({ pricedAs: [...pricedAs].sort(), reported }),
    }),
  }
}

/** Tokens of the predict calls of a group, or of the trials themselves if they have none; null if none of them reports any. */
function tokensOf({ own_known, own_tokens, known_below, tokens_below }: TrialGroup, predictKind: string | null): number | null {
  if (predictKind === null) return own_known === 0 ? null : own_tokens
  const at = tokens_below[0].indexOf(predictKind)
  return known_below[0].includes(predictKind) ? (tokens_below[1][at] ?? 0) : null
}

/** Sorts a trial among the first ones of groups, as the engine writes these. */
function orderOf({ row_digest, started_micros, id }: GroupedTrial): string {
  return `${row_digest}\0${BigInt(started_micros) + 4_611_686_018_427_387_904n}${id}`
}
