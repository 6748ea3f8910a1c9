import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareRows, type VersionRow } from './compare-rows.ts'

const rowsOf = (digests: string): VersionRow[] => [...digests].map((digest, original_index) => ({ digest, val: digest, original_index }))
const digestsOf = (rows: readonly VersionRow[]) => rows.map(({ digest }) => digest).join('')

test.each([
  { before: 'abc', after: 'abc', added: '', removed: '', changed: '', unchanged: 3 },
  { before: 'abc', after: 'abcd', added: 'd', removed: '', changed: '', unchanged: 3 },
  { before: 'abc', after: 'ab', added: '', removed: 'c', changed: '', unchanged: 2 },
  { before: 'abc', after: 'axc', added: '', removed: '', changed: 'bx', unchanged: 2 },
  { before: 'abc', after: 'cba', added: '', removed: '', changed: '', unchanged: 3 },
  { before: 'aab', after: 'ab', added: '', removed: 'a', changed: '', unchanged: 2 },
  { before: '', after: 'a', added: 'a', removed: '', changed: '', unchanged: 0 },
])('from "$before" to "$after"', ({ before, after, ...expected }) => {
  const { added, removed, changed, unchanged } = compareRows(rowsOf(before), rowsOf(after))
  const changes = changed.map((one) => one.before.digest + one.after.digest).join('')
  expect({ added: digestsOf(added), removed: digestsOf(removed), changed: changes, unchanged }).toEqual(expected)
})

test('every row is counted once', () => {
  const digests = fc.array(fc.constantFrom(...'abcdef'), { maxLength: 30 }).map((list) => rowsOf(list.join('')))
  fc.assert(
    fc.property(digests, digests, (before, after) => {
      const { added, removed, changed, unchanged } = compareRows(before, after)
      expect(unchanged + changed.length + added.length).toBe(after.length)
      expect(unchanged + changed.length + removed.length).toBe(before.length)
    }),
  )
})
