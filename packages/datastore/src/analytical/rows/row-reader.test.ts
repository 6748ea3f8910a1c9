import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRow } from './empty-row.ts'
import { rowEncoder } from './row-binary.ts'
import { rowReader } from './row-reader.ts'
import { anyRow, everyType, type EveryType } from '../testing/every-type.ts'

const reader = rowReader(everyType)

test('a row at any position is read as it was added, and its columns are located', () => {
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

test('a fixed-size value is patched in the bytes of its row, and nothing else changes', () => {
  fc.assert(
    fc.property(anyRow, anyRow, (row, { version, at }) => {
      const opened = reader.open(encoded(row), 0)
      opened.setValue('version', version)
      opened.setValue('at', at)
      expect(opened.toRow()).toEqual({ ...row, version, at })
    }),
    { numRuns: 100 },
  )
})

test('the end of a text is overwritten by one of the same length, which the text must have', () => {
  const row = { ...emptyRow(everyType), word: 'op:000', text: 'before' }
  const opened = reader.open(encoded(row), 0)
  opened.setEndOfText('word', 'abc')
  expect(opened.toRow()).toEqual({ ...row, word: 'op:abc' })
  expect(() => opened.setEndOfText('word', 'longer than it')).toThrow('every_type.word has 6 bytes, fewer than the 14 of its end')
})

function encoded(row: EveryType): Buffer {
  const encoder = rowEncoder(everyType)
  encoder.add(row)
  return Buffer.from(encoder.finish().bytes)
}
