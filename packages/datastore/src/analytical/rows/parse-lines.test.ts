import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachLine, parseLines } from './parse-lines.ts'

test('lines of any length are parsed in order, with and without a line break at the end', () => {
  const lengths = fc.array(fc.oneof(fc.nat(40), fc.integer({ min: 16_370, max: 16_400 }), fc.nat(60_000)), { maxLength: 12 })
  fc.assert(
    fc.property(lengths, fc.boolean(), (lengthOf, endsWithBreak) => {
      const rows = lengthOf.map((length, at) => ({ at, text: '"\n'.repeat(length / 4) }))
      const lines = rows.map((row) => JSON.stringify(row)).join('\n')
      const text = endsWithBreak && rows.length > 0 ? `${lines}\n` : lines
      expect(parseLines(text)).toEqual(rows)
      expect([...eachLine(text)]).toEqual(rows)
    }),
    { numRuns: 100 },
  )
})
