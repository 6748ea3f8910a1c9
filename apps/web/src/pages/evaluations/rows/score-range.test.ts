import { expect, test } from 'vitest'
import { isInRanges, type ScoreRanges } from './score-range.ts'

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
