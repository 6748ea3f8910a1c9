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
])('%j leads to %j', (ids, expected) => {
  expect(withDescendants(nodes, ids).sort()).toEqual(expected)
})
