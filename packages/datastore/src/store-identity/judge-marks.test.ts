import { expect, test } from 'vitest'
import { chosenId, judgeMarks, type StoreMarks } from './judge-marks.ts'

const bound = { id: 'a', isBound: true }
const unbound = { id: 'a', isBound: false }

test.each<[string, StoreMarks, object]>([
  ['nothing has an id yet', { records: undefined, analytical: undefined, blobs: undefined }, { id: 'new' }],
  ['all agree', { records: bound, analytical: 'a', blobs: 'a' }, { id: 'a' }],
  ['a start was killed before tables and blobs had the id', { records: unbound, analytical: undefined, blobs: undefined }, { id: 'a' }],
  ['a start was killed before the blobs had the id', { records: unbound, analytical: 'a', blobs: undefined }, { id: 'a' }],
  ['the records are gone', { records: undefined, analytical: 'a', blobs: 'a' }, { mismatch: expect.stringContaining('records is new') }],
  ['only blobs are left', { records: undefined, analytical: undefined, blobs: 'a' }, { mismatch: expect.stringContaining('the blobs') }],
  ['the tables are gone', { records: bound, analytical: undefined, blobs: 'a' }, { mismatch: expect.stringContaining('calls are new') }],
  ['the blobs are gone', { records: bound, analytical: 'a', blobs: undefined }, { mismatch: expect.stringContaining('the blobs are new') }],
  ['the tables are of another store', { records: bound, analytical: 'b', blobs: 'a' }, { mismatch: expect.stringContaining('store b') }],
  ['the blobs are of another store', { records: unbound, analytical: 'a', blobs: 'b' }, { mismatch: expect.stringContaining('store b') }],
])('%s', (_, marks, verdict) => {
  expect(judgeMarks(marks, 'new')).toEqual(verdict)
})

test('the id of the records is kept where they have one, and else that of what is there', () => {
  expect(chosenId({ records: bound, analytical: 'b', blobs: 'c' }, 'new')).toBe('a')
  expect(chosenId({ records: undefined, analytical: 'b', blobs: 'c' }, 'new')).toBe('b')
  expect(chosenId({ records: undefined, analytical: undefined, blobs: 'c' }, 'new')).toBe('c')
  expect(chosenId({ records: undefined, analytical: undefined, blobs: undefined }, 'new')).toBe('new')
})
