import { expect, test } from 'vitest'
import { readLeastTotals, toTotalsRequest, totalsText } from './least-totals.ts'

test.each([
  [
    { calls: 2, cost: 0.5 },
    { calls: 2, cost: 0.5 },
  ],
  [{ tokens: 0 }, { tokens: 0 }],
  [{ tokens: 1.5, errors: -1, seconds: 'x', other: 3 }, undefined],
  [{ tokens: 1.5, seconds: 0.25 }, { seconds: 0.25 }],
  [{}, undefined],
  [[1], undefined],
  ['calls', undefined],
  [null, undefined],
])('the address %j asks for %j', (value, least) => expect(readLeastTotals(value)).toEqual(least))

test('sums are requested in the units of the API, and said in words', () => {
  const least = { calls: 2_000, errors: 1, tokens: 10, cost: 0.05, seconds: 1.5 }
  expect(toTotalsRequest(least)).toEqual({ min_calls: 2_000, min_errors: 1, min_tokens: 10, min_cost: 0.05, min_duration_ms: 1_500 })
  expect(totalsText(least)).toBe('at least 2,000 calls, 1 failed call, 10 tokens, $0.050, 1.5 seconds')
  expect(toTotalsRequest({ tokens: 3 })).toEqual({ min_tokens: 3 })
})
