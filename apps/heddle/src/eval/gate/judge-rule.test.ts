import type { Estimate, MeasureComparison, MeasureReport } from '@heddle/evaluations'
import { expect, test } from 'vitest'
import { type Evidence, judgeRule, type Outcome, outcomeOf } from './judge-rule.ts'
import { parseAbsoluteRule, parseChangeRule } from './parse-rule.ts'

const anEstimate = (fields: Partial<Estimate> = {}): Estimate => ({
  value: 0.8,
  interval: { low: 0.7, high: 0.9 },
  method: 'bca',
  ...fields,
})
const aReport = (fields: Partial<MeasureReport> = {}): MeasureReport => ({
  name: 'exact',
  is_rate: true,
  rows: 100,
  trials: 100,
  coverage: 1,
  ...anEstimate(),
  ...fields,
})
const aComparison = (interval: Estimate['interval'], fields: Partial<MeasureComparison> = {}): MeasureComparison => ({
  name: 'exact',
  is_rate: true,
  paired_rows: 100,
  only_a: 0,
  only_b: 0,
  a: anEstimate(),
  b: anEstimate(),
  difference: anEstimate({ value: interval === null ? 0 : (interval.low + interval.high) / 2, interval }),
  p_value: 1,
  higher_rows: 0,
  lower_rows: 0,
  ...fields,
})
const evidence = (fields: Partial<Evidence>): Evidence => ({ candidate: [], comparisons: [], known: ['exact'], minCoverage: 1, ...fields })

test.each([
  ['--min', 'exact>=0.8', 'passed'],
  ['--min', 'exact>0.8', 'failed'],
  ['--min', 'exact>=0.81', 'failed'],
  ['--max', 'exact<=0.8', 'passed'],
  ['--max', 'exact<0.8', 'failed'],
] as const)('a mean of 0.8 under %s %s has %s', (flag, text, outcome) => {
  expect(judgeRule(parseAbsoluteRule(flag, text), evidence({ candidate: [aReport()] }))).toMatchObject({
    outcome,
    value: 0.8,
    reason: null,
  })
})

test.each([
  ['drop', -0.02, 0.1, 'passed'],
  ['drop', -0.021, 0.1, 'undecided'],
  ['drop', -0.1, -0.02, 'undecided'],
  ['drop', -0.1, -0.021, 'failed'],
  ['rise', -0.1, 0.02, 'passed'],
  ['rise', -0.1, 0.021, 'undecided'],
  ['rise', 0.021, 0.1, 'failed'],
] as const)('a %s of at most 0.02 with an interval from %d to %d is %s', (kind, low, high, outcome) => {
  const rule = parseChangeRule(`--max-${kind}`, 'exact=0.02')
  expect(judgeRule(rule, evidence({ comparisons: [aComparison({ low, high })] })).outcome).toBe(outcome)
})

test('without an interval a change is undecided', () => {
  const verdict = judgeRule(parseChangeRule('--max-drop', 'exact=0.02'), evidence({ comparisons: [aComparison(null)] }))
  expect(verdict).toMatchObject({ outcome: 'undecided', value: 0, interval: null })
})

test('a score that is not there is undecided, and the others are named', () => {
  const reason = 'the candidate has no score "other"; it has "exact"'
  expect(judgeRule(parseAbsoluteRule('--min', 'other>=1'), evidence({}))).toMatchObject({ outcome: 'undecided', value: null, reason })
  expect(judgeRule(parseChangeRule('--max-drop', 'other=1'), evidence({ known: [] })).reason).toBe(
    'no row has a score "other" in both runs; the candidate has none',
  )
})

test('missing scores leave a rule undecided, unless the least coverage is lower', () => {
  const [absolute, change] = [parseAbsoluteRule('--min', 'exact>=0.5'), parseChangeRule('--max-drop', 'exact=0.5')]
  const found = {
    candidate: [aReport({ coverage: 0.75 })],
    comparisons: [aComparison({ low: 0, high: 0 }, { paired_rows: 3, only_a: 1, only_b: 9 })],
  }
  const reasons = [absolute, change].map((rule) => judgeRule(rule, evidence(found)).reason)
  expect(reasons).toEqual([
    'only 75 % of the trials have a score; --min-coverage is 100 %',
    "the candidate has a score for only 75 % of the baseline's rows; --min-coverage is 100 %",
  ])
  const outcomes = [absolute, change].map((rule) => judgeRule(rule, evidence({ ...found, minCoverage: 0.75 })).outcome)
  expect(outcomes).toEqual(['passed', 'passed'])
})

test.each([
  [['passed', 'passed'], 'passed'],
  [['passed', 'undecided'], 'undecided'],
  [['undecided', 'failed', 'passed'], 'failed'],
] as [Outcome[], Outcome][])('%j together are %s', (outcomes, together) => {
  const verdict = judgeRule(parseAbsoluteRule('--min', 'exact>=0'), evidence({ candidate: [aReport()] }))
  expect(outcomeOf(outcomes.map((outcome) => ({ ...verdict, outcome })))).toBe(together)
})
