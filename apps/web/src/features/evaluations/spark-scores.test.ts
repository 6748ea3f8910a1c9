import type { EvalSummary } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { scalesOf, sparkScores } from './spark-scores.ts'

const aSummary = (...scores: [key: string, path: string | null, rate: number | null, mean: number | null][]) =>
  ({
    scorer_stats: scores.map(([scorer_key, path, pass_rate, numeric_mean]) => ({ scorer_key, path, pass_rate, numeric_mean })),
  }) as unknown as EvalSummary

test('a rate is as long as its share, and a number by the largest of all runs, whatever its sign', () => {
  const [one, other] = [aSummary(['exact', 'match', 0.25, 0.25], ['length', null, null, -4]), aSummary(['length', null, null, 8])]
  const scales = scalesOf([one, other])
  expect(sparkScores(one, scales)).toEqual([
    { name: 'exact.match', value: 0.25, isRate: true, share: 0.25 },
    { name: 'length', value: -4, isRate: false, share: 0.5 },
  ])
  expect(sparkScores(other, scales)).toMatchObject([{ share: 1 }])
})

test('scores without a mean are omitted, and a score that is 0 in every run has no bar', () => {
  const summary = aSummary(['reason', null, null, null], ['length', null, null, 0])
  expect(sparkScores(summary, scalesOf([summary]))).toEqual([{ name: 'length', value: 0, isRate: false, share: 0 }])
  expect(sparkScores(undefined, new Map())).toEqual([])
})
