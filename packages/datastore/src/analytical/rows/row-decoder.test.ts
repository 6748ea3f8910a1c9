import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsExcept, rowDecoder } from './row-decoder.ts'
import { emptyRow } from './empty-row.ts'
import { rowEncoder } from './row-binary.ts'
import { render } from '../sql.ts'
import { anyRow, everyType, type EveryType } from '../testing/every-type.ts'

const columns = columnsExcept(everyType, ['document'])

/** A row as the engine answers `select` in JSON: 64-bit integers are texts. */
function answered({ at, maybe_at, ...row }: Partial<EveryType>): Record<string, unknown> {
  const text = JSON.stringify({ ...row, at_us: at, maybe_at_us: maybe_at }, (name, value: unknown) =>
    ['version', 'maybe_number', 'at_us', 'maybe_at_us'].includes(name) && value !== null ? String(value) : value,
  )
  return JSON.parse(text) as Record<string, unknown>
}

test('a returned row is decoded to the row that was encoded', () => {
  const { decode } = rowDecoder(everyType, columns)
  fc.assert(
    fc.property(anyRow, ({ document: _document, ...row }) => {
      expect(decode(answered(row))).toEqual(row)
    }),
    { numRuns: 200 },
  )
})

test('only the named columns are selected, times in microseconds under an alias', () => {
  const { select } = rowDecoder(everyType, ['text', 'at', 'maybe_at'])
  expect(render(select).text).toBe('text, toUnixTimestamp64Micro(at) AS at_us, toUnixTimestamp64Micro(maybe_at) AS maybe_at_us')
})

test('constants are members of every row', () => {
  const { decode } = rowDecoder(everyType, ['flag'], { text: null, project: 'acme/demo' })
  expect([decode({ flag: 1 }), decode({ flag: 2 })]).toEqual([
    { text: null, project: 'acme/demo', flag: 1 },
    { text: null, project: 'acme/demo', flag: 2 },
  ])
})

test('a column that the table does not have, or of type JSON, is refused by name', () => {
  expect(() => rowDecoder(everyType, ['nothing' as 'text'])).toThrow('table every_type has no column nothing')
  expect(() => rowDecoder(everyType, ['document' as 'text'])).toThrow(
    'column every_type.document cannot be decoded from an answer: its type is JSON',
  )
})

test('an empty row has the empty value of each type, which the encoder accepts', () => {
  const row = emptyRow(everyType)
  expect(row).toEqual({
    text: '',
    word: '',
    maybe_text: null,
    flag: 0,
    version: 0n,
    maybe_number: null,
    at: 0,
    maybe_at: null,
    texts: [],
    numbers: [],
    document: [],
  })
  const encoder = rowEncoder(everyType)
  encoder.add(row)
  expect(encoder.rows).toBe(1)
})
