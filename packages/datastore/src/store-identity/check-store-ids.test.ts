import { expect, test } from 'vitest'
import { chosenId, checkStoreIds, type StoreMarks } from './check-store-ids.ts'

const bound = { id: 'a', isBound: true }
const unbound = { id: 'a', isBound: false }

test.each<[string, StoreMarks, object]>([
  ['nothing has an id yet', { relational: undefined, analytical: undefined, blobs: undefined }, { id: 'new' }],
  ['all agree', { relational: bound, analytical: 'a', blobs: 'a' }, { id: 'a' }],
  ['a start was killed before tables and blobs had the id', { relational: unbound, analytical: undefined, blobs: undefined }, { id: 'a' }],
  ['a start was killed before the blobs had the id', { relational: unbound, analytical: 'a', blobs: undefined }, { id: 'a' }],
  [
    'the relational database is gone',
    { relational: undefined, analytical: 'a', blobs: 'a' },
    { mismatch: expect.stringContaining('relational database is new') },
  ],
  ['only blobs are left', { relational: undefined, analytical: undefined, blobs: 'a' }, { mismatch: expect.stringContaining('the blobs') }],
  ['the tables are gone', { relational: bound, analytical: undefined, blobs: 'a' }, { mismatch: expect.stringContaining('calls are new') }],
  [
    'the blobs are gone',
    { relational: bound, analytical: 'a', blobs: undefined },
    { mismatch: expect.stringContaining('the blobs are new') },
  ],
  [
    'the tables belong to another store',
    { relational: bound, analytical: 'b', blobs: 'a' },
    { mismatch: expect.stringContaining('store b') },
  ],
  [
    'the blobs belong to another store',
    { relational: unbound, analytical: 'a', blobs: 'b' },
    { mismatch: expect.stringContaining('store b') },
  ],
])('%s', (_, marks, verdict) => {
  expect(checkStoreIds(marks, 'new')).toEqual(verdict)
})

test('the id of the relational database is kept if it has one, otherwise that of the other stores', () => {
  expect(chosenId({ relational: bound, analytical: 'b', blobs: 'c' }, 'new')).toBe('a')
  expect(chosenId({ relational: undefined, analytical: 'b', blobs: 'c' }, 'new')).toBe('b')
  expect(chosenId({ relational: undefined, analytical: undefined, blobs: 'c' }, 'new')).toBe('c')
  expect(chosenId({ relational: undefined, analytical: undefined, blobs: undefined }, 'new')).toBe('new')
})
