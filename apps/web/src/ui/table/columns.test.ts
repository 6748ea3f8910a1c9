import { expect, test } from 'vitest'
import { arrange, boundedWidth, type Column, movedOver, tracksOf } from './columns.ts'

const column = (id: string, width = '100px', pin?: 'left' | 'right'): Column<object> => ({
  id,
  title: id,
  width,
  cell: () => id,
  ...(pin && { pin }),
})
const columns = [
  column('status', '36px', 'left'),
  column('time'),
  column('name', 'minmax(160px, 1fr)', 'left'),
  column('input'),
  column('more', '40px', 'right'),
  column('cost'),
]
const ids = (shown: readonly Column<object>[]) => shown.map(({ id }) => id)

test('pinned columns stand at their sides, in the order of the others', () =>
  expect(ids(arrange(columns, {}))).toEqual(['status', 'name', 'time', 'input', 'cost', 'more']))

test('an order that somebody chose holds within each side, and unknown columns follow', () =>
  expect(ids(arrange(columns, { order: ['cost', 'gone', 'time', 'name'] }))).toEqual(['name', 'status', 'cost', 'time', 'input', 'more']))

test('hidden columns are left out', () =>
  expect(ids(arrange(columns, { hidden: ['time', 'more'] }))).toEqual(['status', 'name', 'input', 'cost']))

test('a column that was resized has its width, and the others keep their tracks', () => {
  const { template, minWidth } = tracksOf(arrange(columns, {}), { input: 250 }, 40)
  expect(template).toBe('40px 36px minmax(160px, 1fr) 100px 250px 100px 40px')
  expect(minWidth).toBe(40 + 36 + 160 + 100 + 250 + 100 + 40)
})

test('a pinned column stays beside those before it, and the last one of a side is its edge', () => {
  const { offsets } = tracksOf(arrange(columns, {}), { status: 50 }, 40)
  expect(Object.fromEntries(offsets)).toEqual({
    status: { side: 'left', px: 40, isEdge: false },
    name: { side: 'left', px: 90, isEdge: true },
    more: { side: 'right', px: 0, isEdge: true },
  })
})

test.each([
  [-5, 40],
  [99.6, 100],
  [1_000_000, 1_200],
])('a width of %d pixels becomes %d', (px, expected) => expect(boundedWidth(px)).toBe(expected))

test.each([
  ['c', 'a', 'cab'],
  ['a', 'c', 'bca'],
  ['b', 'c', 'acb'],
])('%s in the place of %s makes abc to %s', (id, over, expected) => expect(movedOver(['a', 'b', 'c'], id, over).join('')).toBe(expected))
