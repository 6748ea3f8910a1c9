import { expect, test } from 'vitest'
import { maxKept, readKeptRanges } from './kept-ranges.ts'
import { isInRanges, rangesOf, type ScoreRanges } from './score-range.ts'

const measure = (name: string, ...byRow: number[]) => ({ name, byRow, trials: byRow.length, isRate: false, isSingle: true })
const run = (...measures: ReturnType<typeof measure>[]) => ({
  rows: 3,
  trials: 3,
  measures: new Map(measures.map((one) => [one.name, one])),
})
const runs = [run(measure('a', 0, 1, 2), measure('b', 5, 5, 9)), run(measure('a', 2, Number.NaN, 2))]
const places = (ranges: ScoreRanges) => [0, 1, 2].filter((place) => isInRanges(runs, ranges, place))

test.each<[string, ScoreRanges, number[]]>([
  ['no range leaves all', { ranges: [{ name: 'a' }] }, [0, 1, 2]],
  ['both ends are included, in any run', { ranges: [{ name: 'a', from: 1, to: 2 }] }, [0, 1, 2]],
  ['a run may be named', { ranges: [{ name: 'a', from: 1, to: 2 }], run: 0 }, [1, 2]],
  ['an open end is no bound, but a row needs a value', { ranges: [{ name: 'a', to: 9 }], run: 1 }, [0, 2]],
  [
    'two ranges hold in the same run',
    {
      ranges: [
        { name: 'a', from: 2 },
        { name: 'b', to: 5 },
      ],
    },
    [],
  ],
  ['a measure that no run has leaves none', { ranges: [{ name: 'c', from: 0 }] }, []],
])('%s', (_, ranges, expected) => expect(places(ranges)).toEqual(expected))

test('kept ranges hold beside the one that is chosen, each in its own run', () => {
  const kept = [
    { name: 'a', to: 1, of: 1 },
    { name: 'a', from: 2, of: 2 },
  ]
  expect(rangesOf('b', { from: 5, of: 1, ranges: kept })).toEqual([
    { ranges: [{ name: 'b', from: 5, to: undefined }], run: 0 },
    { ranges: [{ name: 'a', to: 1 }], run: 0 },
    { ranges: [{ name: 'a', from: 2 }], run: 1 },
  ])
  const all = rangesOf('b', { ranges: kept })
  expect([0, 1, 2].filter((place) => all.every((ranges) => isInRanges(runs, ranges, place)))).toEqual([0])
})

test.each<[string, unknown, unknown]>([
  ['one of a name and an end', [{ name: 'a', from: '1', of: 2, more: 1 }], [{ name: 'a', from: 1, of: 2 }]],
  ['none without an end', [{ name: 'a' }], undefined],
  ['none without a name', [{ from: 1 }, null, 'a'], undefined],
  ['none of another shape', 'a', undefined],
])('the kept ranges of an address: %s', (_what, value, ranges) => {
  expect(readKeptRanges(value)).toEqual(ranges)
})

test('an address keeps at most the maximum number of ranges', () => {
  expect(readKeptRanges(Array.from({ length: maxKept + 1 }, () => ({ name: 'a', from: 1 })))).toHaveLength(maxKept)
})
