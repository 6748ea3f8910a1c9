import { expect, test } from 'vitest'
import { withDescendants } from './descendants.ts'

const nodes = [
  { id: 'a', parent_id: '' },
  { id: 'b', parent_id: 'a' },
  { id: 'c', parent_id: 'b' },
  { id: 'd', parent_id: '' },
  { id: 'x', parent_id: 'y' },
  { id: 'y', parent_id: 'x' },
]

test.each([
  [['a'], ['a', 'b', 'c']],
  [['c'], ['c']],
  [
    ['b', 'd'],
    ['b', 'c', 'd'],
  ],
  [['x'], ['x', 'y']],
  [['unknown'], []],
  [[], []],
])('%j leads to %j', async (ids, expected) => {
  expect((await withDescendants(nodes, ids)).sort()).toEqual(expected)
})

test('a call comes after its parent, however many there are', async () => {
  const parents = new Map(Array.from({ length: 50_000 }, (_, index) => [`c${index}`, index === 0 ? '' : `c${(index - 1) >> 1}`]))
  const shuffled = [...parents].map(([id, parent_id]) => ({ id, parent_id })).toReversed()
  const found = await withDescendants(shuffled, ['c0'])
  const places = new Map(found.map((id, index) => [id, index]))
  expect(found).toHaveLength(50_000)
  expect(found.filter((id) => (places.get(parents.get(id) ?? '') ?? -1) > (places.get(id) ?? 0))).toEqual([])
})
