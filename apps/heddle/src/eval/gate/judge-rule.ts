import type { Interval, MeasureComparison, MeasureReport } from '@heddle/evaluations'
import type { AbsoluteRule, ChangeRule, Rule } from './parse-rule.ts'

export type Outcome = 'passed' | 'failed' | 'undecided'

/** The outcome of a rule. */
export interface Verdict {
  rule: string
  outcome: Outcome
  /** Mean of the candidate, or its mean minus that of the baseline; null where unknown. */
  value: number | null
  interval: Interval | null
  is_rate: boolean
  /** `value` is a difference. */
  is_change: boolean
  /** Share of the candidate's trials, or of the baseline's rows with the score, that the value is computed from. */
  coverage: number | null
  /** Why the rule is undecided; null where it is decided. */
  reason: string | null
}

/** What rules are judged on. */
export interface Evidence {
  candidate: readonly MeasureReport[]
  /** Candidate (B) against baseline (A). */
  comparisons: readonly MeasureComparison[]
  /** All scores of the candidate. */
  known: readonly string[]
  /** Below this coverage a rule is undecided. */
  minCoverage: number
}

/**
 * Judges one rule. An absolute one by the mean of the candidate. A drop passes when the lower end of the interval of candidate minus baseline is not
 * below the limit, and fails when the upper end is; between them, or without an interval, it is undecided. A rise is the same upwards.
 */
export function judgeRule(rule: Rule, evidence: Evidence): Verdict {
  return rule.kind === 'absolute' ? judgeAbsolute(rule, evidence) : judgeChange(rule, evidence)
}

/** Failed when any rule failed, else undecided when any is. */
export function outcomeOf(verdicts: readonly Verdict[]): Outcome {
  if (verdicts.some(({ outcome }) => outcome === 'failed')) return 'failed'
  return verdicts.some(({ outcome }) => outcome === 'undecided') ? 'undecided' : 'passed'
}

function judgeAbsolute(rule: AbsoluteRule, { candidate, known, minCoverage }: Evidence): Verdict {
  const measure = candidate.find(({ name }) => name === rule.measure)
  if (!measure) return unknown(rule, `the candidate has no score "${rule.measure}"; it has ${namesOf(known)}`)
  const { value, interval, is_rate, coverage } = measure
  const verdict = { rule: rule.text, value, interval, is_rate, is_change: false, coverage }
  const missing =
    coverage < minCoverage ? `only ${percent(coverage)} of the trials have a score; --min-coverage is ${percent(minCoverage)}` : null
  if (missing !== null) return { ...verdict, outcome: 'undecided', reason: missing }
  return { ...verdict, outcome: holds(value, rule) ? 'passed' : 'failed', reason: null }
}

function judgeChange(rule: ChangeRule, { comparisons, known, minCoverage }: Evidence): Verdict {
  const comparison = comparisons.find(({ name }) => name === rule.measure)
  if (!comparison) return unknown(rule, `no row has a score "${rule.measure}" in both runs; the candidate has ${namesOf(known)}`)
  const { difference, is_rate, paired_rows, only_a } = comparison
  const coverage = paired_rows / (paired_rows + only_a)
  const verdict = { rule: rule.text, value: difference.value, interval: difference.interval, is_rate, is_change: true, coverage }
  const outcome = difference.interval === null ? 'undecided' : judgeInterval(difference.interval, rule)
  if (coverage < minCoverage) {
    const missing = `the candidate has a score for only ${percent(coverage)} of the baseline's rows; --min-coverage is ${percent(minCoverage)}`
    return { ...verdict, outcome: 'undecided', reason: missing }
  }
  return {
    ...verdict,
    outcome,
    reason: outcome === 'undecided' ? 'the interval is on both sides of the limit; more rows would narrow it' : null,
  }
}

function judgeInterval({ low, high }: Interval, { kind, limit }: ChangeRule): Outcome {
  const [worst, best] = kind === 'drop' ? [low, high] : [-high, -low]
  if (worst >= -limit) return 'passed'
  return best < -limit ? 'failed' : 'undecided'
}

function holds(value: number, { comparator, bound }: AbsoluteRule): boolean {
  if (comparator === '>=') return value >= bound
  if (comparator === '>') return value > bound
  return comparator === '<=' ? value <= bound : value < bound
}

function unknown(rule: Rule, reason: string): Verdict {
  return {
    rule: rule.text,
    outcome: 'undecided',
    value: null,
    interval: null,
    is_rate: false,
    is_change: rule.kind !== 'absolute',
    coverage: null,
    reason,
  }
}

const maxNames = 10

function namesOf(names: readonly string[]): string {
  if (names.length === 0) return 'none'
  const shown = names.slice(0, maxNames).map((name) => `"${name}"`)
  return shown.join(', ') + (names.length > maxNames ? ', …' : '')
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(4))} %`
}
