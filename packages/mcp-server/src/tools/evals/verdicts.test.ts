import type { EvalResultsRow } from '@heddle/core-api/types'
import { compareMeasure, createMeasuredResults } from '@heddle/evaluations'
import { expect, test } from 'vitest'
import { verdictsOf } from './verdicts.ts'

const trial = (scores: Record<string, unknown>) => ({ scores, model_latency_seconds: null, total_tokens: null })
const rowOf = (at: number, before: Record<string, unknown>, after: Record<string, unknown>) =>
  ({
    row_digest: `row${at}`,
    evaluations: [
      { evaluation_call_id: 'before', trials: [trial(before)] },
      { evaluation_call_id: 'after', trials: [trial(after)] },
    ],
  }) as unknown as EvalResultsRow
const compared = { baseline: 'before', candidates: ['after'], scorer: undefined }

/** Twenty rows of which four become right, and none wrong. */
const flips = Array.from({ length: 20 }, (_, at) => rowOf(at, { right: at >= 4 }, { right: true }))

test('a comparison says what the command and the pages say: of 20 rows, 4 that become right are no evidence', () => {
  const results = createMeasuredResults(['before', 'after'], [])
  for (const row of flips) results.add(row)
  const [a, b] = results.runs.map(({ measures }) => measures.get('right')!)
  const { interval } = compareMeasure(a!, b!, { confidence: 0.95, seed: 1 })!.difference
  const [verdict] = verdictsOf(flips, compared)
  expect(verdict).toMatchObject({ score: 'right', verdict: 'no evidence', delta: 0.2, paired_rows: 20, baseline: 0.8, candidate: 1 })
  expect(verdict?.interval?.[0]).toBeCloseTo(interval!.low, 3)
  expect(verdict?.interval?.[1]).toBeCloseTo(interval!.high, 3)
})

test('means are compared by their rows, and the worst score comes first', () => {
  const rows = Array.from({ length: 12 }, (_, at) =>
    rowOf(at, { a: at % 3, b: { c: 1 } }, { a: (at % 3) + 1 + (at % 2) * 0.1, b: { c: 1 } }),
  )
  expect(verdictsOf(rows, compared)).toMatchObject([
    { score: 'b.c', verdict: 'no evidence', delta: 0 },
    { score: 'a', verdict: 'better', delta: 1.05 },
  ])
  expect(verdictsOf(rows, { ...compared, scorer: 'b' }).map(({ score }) => score)).toEqual(['b.c'])
  expect(verdictsOf(rows, { ...compared, candidates: ['unknown'] })).toEqual([])
})

test('of one row nothing is known but its difference', () => {
  expect(verdictsOf([rowOf(0, { a: 1 }, { a: 2.5 })], compared)).toMatchObject([{ verdict: 'no evidence', delta: 1.5, interval: null }])
})
