import { expect, test } from 'vitest'
import { findLostParts, type PresentParts } from './lost-parts.ts'
import type { TablePart } from './table-parts.ts'

const aPart = (minBlock: number, maxBlock: number, changes: Partial<TablePart> = {}): TablePart => ({
  table: 'calls',
  partition: '202602',
  name: `202602_${minBlock}_${maxBlock}_0`,
  tableId: 'a',
  minBlock,
  maxBlock,
  rows: 20,
  dataVersion: 3,
  expiresAt: 0,
  ...changes,
})
const noted = [aPart(3, 5)]
const present = (changes: Partial<PresentParts>): PresentParts => ({
  now: 2_000,
  parts: [],
  detached: [],
  deletions: new Map(),
  ...changes,
})
const lost = [{ table: 'calls', name: '202602_3_5_0', rows: 20 }]

test.each<[string, Partial<PresentParts>, object[]]>([
  ['a part that is there is not lost', { parts: [aPart(3, 5)] }, []],
  ['nor is one that was merged into another', { parts: [aPart(1, 9)] }, []],
  ['nor one that is put aside', { detached: [aPart(3, 5)] }, []],
  ['nor one in whose place are those that it was made of', { parts: [aPart(3, 3, { rows: 5 }), aPart(4, 5, { rows: 15 })] }, []],
  ['nor one of a table that was made anew', { parts: [aPart(1, 1, { tableId: 'b' })] }, []],
  ['nor one that may have been emptied by a later deletion', { deletions: new Map([['calls', 6]]) }, []],
  ['a part that is gone is lost', {}, lost],
  ['also where others of its table are there', { parts: [aPart(1, 2), aPart(6, 7)] }, lost],
  ['also where a part of another partition has its blocks', { parts: [aPart(1, 9, { partition: '202603' })] }, lost],
  ['also where rows were deleted before it was noted', { deletions: new Map([['calls', 3]]) }, lost],
  ['also where rows of another table were deleted', { deletions: new Map([['feedback', 6]]) }, lost],
  ['some of its rows may be there', { parts: [aPart(3, 3, { rows: 5 })] }, [{ ...lost[0], rows: 15 }]],
])('%s', (_, changes, expected) => {
  expect(findLostParts(noted, present(changes))).toEqual(expected)
})

test('rows that have expired, and parts without rows, are not lost', () => {
  const parts = [aPart(1, 1, { expiresAt: 1_999 }), aPart(2, 2, { rows: 0 })]
  expect(findLostParts(parts, present({}))).toEqual([])
  expect(findLostParts([aPart(1, 1, { expiresAt: 2_001 })], present({}))).toHaveLength(1)
})
