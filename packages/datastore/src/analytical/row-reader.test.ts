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
        expect(reader.read(buffer, start)).toEqual(row)
        expect(buffer.readBigUInt64LE(reader.find(buffer, start, 'version').start)).toBe(row?.version)
        expect(buffer[reader.find(buffer, start, 'flag').start]).toBe(row?.flag)
        const text = reader.find(buffer, start, 'text')
        expect(text.start).toBe(start)
        expect(buffer.toString('utf8', text.start, text.end).endsWith(row?.text ?? '')).toBe(true)
      }
    }),
    { numRuns: 200 },
  )
})
