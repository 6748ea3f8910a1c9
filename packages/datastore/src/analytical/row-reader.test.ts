import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rowEncoder } from './row-binary.ts'
import { rowReader } from './row-reader.ts'
import { anyRow, everyType } from './testing/every-type.ts'

const reader = rowReader(everyType)

test('a row is read as it was added, and its columns are found, wherever it stands', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 4 }), (rows) => {
      const encoder = rowEncoder(everyType)
      const starts = rows.map((row) => {
        const start = encoder.byteLength
        encoder.add(row)
        return start
      })
      const { bytes } = encoder.finish()
      const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      for (const [index, start] of starts.entries()) {
        const row = rows[index]
        const opened = reader.open(buffer, start)
        expect(opened.toRow()).toEqual(row)
        expect(opened.value('maybe_at')).toEqual(row?.maybe_at)
        expect(buffer.readBigUInt64LE(opened.placeOf('version').start)).toBe(row?.version)
        expect(opened.placeOf('text').start).toBe(start)
        expect(opened.placeOf('document').end).toBe(starts[index + 1] ?? bytes.byteLength)
      }
    }),
    { numRuns: 200 },
  )
})
