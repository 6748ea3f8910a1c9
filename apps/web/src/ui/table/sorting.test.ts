import { expect, test } from 'vitest'
import { nextSorting } from './sorting.ts'

test('a column is sorted down, up, and not at all', () => {
  const down = nextSorting([], 'cost', false)
  const up = nextSorting(down, 'cost', false)
  expect([down, up, nextSorting(up, 'cost', false)]).toEqual([[{ id: 'cost', desc: true }], [{ id: 'cost', desc: false }], []])
})

test('another column takes the place of the first, or is added behind it', () => {
  const before = [{ id: 'cost', desc: true }]
  expect(nextSorting(before, 'time', false)).toEqual([{ id: 'time', desc: true }])
  expect(nextSorting(before, 'time', true)).toEqual([...before, { id: 'time', desc: true }])
})

test('a column that is added again is changed, and keeps the others', () =>
  expect(
    nextSorting(
      [
        { id: 'cost', desc: false },
        { id: 'time', desc: true },
      ],
      'cost',
      true,
    ),
  ).toEqual([{ id: 'time', desc: true }]))
