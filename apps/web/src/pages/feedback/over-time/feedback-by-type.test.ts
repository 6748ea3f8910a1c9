import { expect, test } from 'vitest'
import { feedbackByType } from './feedback-by-type.ts'

const [first, second] = ['2026-01-01T00:00:00.000Z', '2026-01-01T01:00:00.000Z']
const end = '2026-01-01T02:00:00.000Z'
const ofType = (group: string | null, counts: readonly [number, number]) =>
  [first, second].map((timestamp, at) => ({ timestamp, group, count: counts[at] }))

test('feedback is counted by part and type, the types in the order of the answer', () => {
  const buckets = [...ofType('note', [3, 0]), ...ofType('reaction', [0, 2])]
  expect(feedbackByType({ granularity: 3_600, end, buckets })).toEqual({
    types: ['note', 'reaction'],
    parts: [
      { startedAt: first, endedAt: second, counts: [3, 0] },
      { startedAt: second, endedAt: end, counts: [0, 2] },
    ],
  })
})

test('of more types than a legend holds, the smallest are counted together', () => {
  const buckets = ['a', 'b', 'c', 'd', 'e'].flatMap((type, at) => ofType(type, [5 - at, 0]))
  const { types, parts } = feedbackByType({ granularity: 3_600, end, buckets })
  expect(types).toEqual(['a', 'b', 'c', null])
  expect(parts.map(({ counts }) => counts)).toEqual([
    [5, 4, 3, 3],
    [0, 0, 0, 0],
  ])
})

test('a range without feedback has no types', () => {
  expect(feedbackByType({ granularity: 3_600, end, buckets: [] })).toEqual({ types: [], parts: [] })
})
