import fc from 'fast-check'
import { expect, test } from 'vitest'
import { emptyRow } from './empty-row.ts'
import { rowReader } from './row-reader.ts'
import { rowTemplate, type RowValues, type Slot } from './row-template.ts'
import { anyRow, everyType, type EveryType } from '../testing/every-type.ts'

const reader = rowReader(everyType)

/** What a row brings: texts of which every other one lies in the second buffer, and integers. */
function valuesOf(texts: readonly string[], integers: readonly number[]): RowValues {
  const parts = texts.map((text) => Buffer.from(text))
  const buffers = [0, 1].map((which) => Buffer.concat(parts.filter((_, index) => index % 2 === which)))
  const ends = [0, 0]
  const starts = parts.map((part, index) => {
    const start = ends[index % 2] as number
    ends[index % 2] = start + part.length
    return start
  })
  return {
    starts: Int32Array.from(starts),
    lengths: Int32Array.from(parts, (part) => part.length),
    isMade: Uint8Array.from(parts, (_, index) => index % 2),
    sent: buffers[0] as Buffer,
    made: buffers[1] as Buffer,
    integers: Float64Array.from(integers),
  }
}

function written(example: EveryType, slots: Record<string, Slot>, values: RowValues): EveryType {
  const template = rowTemplate(everyType, example, slots)
  const before = 3
  const bytes = Buffer.alloc(before + template.maxBytes(values))
  const end = template.write(values, bytes, before)
  expect(end).toBeLessThanOrEqual(bytes.length)
  expect(reader.open(bytes, before).placeOf('document').end).toBe(end)
  return reader.open(bytes, before).toRow()
}

test('without slots every row is the example', () => {
  fc.assert(
    fc.property(anyRow, (row) => {
      expect(written(row, {}, valuesOf([], []))).toEqual(row)
    }),
    { numRuns: 100 },
  )
})

test('texts and integers of a row stand where the slots are, and all else is as in the example', () => {
  const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.string({ minLength: 100, maxLength: 300 }))
  const micros = fc.integer({ min: -(2 ** 53 - 1), max: 2 ** 53 - 1 })
  fc.assert(
    fc.property(
      anyRow,
      fc.array(text, { minLength: 3, maxLength: 3 }),
      fc.array(micros, { minLength: 2, maxLength: 2 }),
      (row, texts, integers) => {
        const [one, two, three] = texts as [string, string, string]
        const slots: Record<string, Slot> = {
          text: { text: [Buffer.from('<'), 0, Buffer.from('|'), 1, 0] },
          word: { text: [2] },
          maybe_text: { text: [1] },
          maybe_number: { integer: 0 },
          at: { integer: 1 },
          maybe_at: { integer: 0 },
          version: { bytesOf: ['text', 'word'] },
          document: { leaves: [[Buffer.from('a')], [0], [Buffer.from('b.'), Buffer.from('c')], [Buffer.from('='), 2]] },
        }
        const whole = `<${one}|${two}${one}`
        expect(written(row, slots, valuesOf(texts, integers))).toEqual({
          ...row,
          text: whole,
          word: three,
          maybe_text: two,
          maybe_number: integers[0],
          at: integers[1],
          maybe_at: integers[0],
          version: BigInt(Buffer.byteLength(whole) + Buffer.byteLength(three)),
          document: ['a', one, 'b.c', `=${three}`],
        })
      },
    ),
    { numRuns: 200 },
  )
})

test('the bytes of texts are counted where one of them is fixed', () => {
  const row = { ...emptyRow(everyType), text: 'fixed' }
  const slots: Record<string, Slot> = { word: { text: [0] }, version: { bytesOf: ['text', 'word'] } }
  expect(written(row, slots, valuesOf(['abc'], []))).toEqual({ ...row, word: 'abc', version: 8n })
})
