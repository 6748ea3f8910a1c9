import { expect, test } from 'vitest'
import { slopeOf } from './memory-trend.ts'

test.each([
  { samples: [], slope: 0 },
  { samples: [[1, 5]], slope: 0 },
  {
    samples: [
      [0, 10],
      [1, 12],
      [2, 14],
    ],
    slope: 2,
  },
  {
    samples: [
      [0, 10],
      [2, 10],
      [4, 10],
    ],
    slope: 0,
  },
  {
    samples: [
      [0, 0],
      [1, 3],
      [2, 0],
    ],
    slope: 0,
  },
])('the slope of $samples is $slope', ({ samples, slope }) => {
  expect(slopeOf(samples.map(([seconds = 0, bytes = 0]) => ({ seconds, bytes })))).toBeCloseTo(slope)
})
