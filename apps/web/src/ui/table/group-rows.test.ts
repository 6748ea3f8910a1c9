import fc from 'fast-check'
import { expect, test } from 'vitest'
import { groupRows, linesOf } from './group-rows.ts'

test('each row stands once under the head of its value, and none under a folded one', () =>
  fc.assert(
    fc.property(fc.array(fc.record({ id: fc.nat(), of: fc.constantFrom('a', 'b', 'c') })), fc.subarray(['a', 'b', 'c']), (rows, closed) => {
      const folded = new Set(closed)
      const lines = linesOf(
        groupRows(rows, ({ of }) => of),
        folded,
      )
      const shown = lines.flatMap((line) => (line.kind === 'row' ? [line.row] : []))
      expect(new Set(shown)).toEqual(new Set(rows.filter(({ of }) => !folded.has(of))))
      expect(shown).toHaveLength(rows.filter(({ of }) => !folded.has(of)).length)
      let value = ''
      for (const line of lines) {
        if (line.kind === 'row') expect(line.row.of).toBe(value)
        else ({ value } = line.group)
      }
    }),
  ))

test('groups are in the order of their first rows', () =>
  expect(groupRows(['b1', 'a1', 'b2'], (row) => row[0] ?? '')).toEqual([
    { value: 'b', rows: ['b1', 'b2'] },
    { value: 'a', rows: ['a1'] },
  ]))
