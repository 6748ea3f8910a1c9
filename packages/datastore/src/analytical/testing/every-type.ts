import fc from 'fast-check'
import { defineTable, type RowOf } from '../table.ts'

/** A table with a column of each type. */
export const everyType = defineTable({
  name: 'every_type',
  columns: {
    text: { type: 'String' },
    word: { type: 'LowCardinality(String)' },
    maybe_text: { type: 'Nullable(String)' },
    flag: { type: 'UInt8' },
    version: { type: 'UInt64' },
    maybe_number: { type: 'Nullable(Int64)' },
    at: { type: 'DateTime64(6)' },
    maybe_at: { type: 'Nullable(DateTime64(6))' },
    texts: { type: 'Array(String)' },
    numbers: { type: 'Array(Float64)' },
    document: { type: 'JSON' },
  },
  versionColumn: 'version',
  orderBy: 'text',
  shardingKey: 'text',
})
export type EveryType = RowOf<typeof everyType>

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc
    .tuple(fc.string({ minLength: 1, maxLength: 9, unit: 'grapheme' }), fc.integer({ min: 1, max: 3_000 }))
    .map(([part, times]) => part.repeat(times)),
)
const micros = fc.integer({ min: -(2 ** 53 - 1), max: 2 ** 53 - 1 })
/** Rows of any values. */
export const anyRow: fc.Arbitrary<EveryType> = fc.record({
  text,
  word: text,
  maybe_text: fc.option(text),
  flag: fc.integer({ min: 0, max: 255 }),
  version: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  maybe_number: fc.option(micros),
  at: micros,
  maybe_at: fc.option(micros),
  texts: fc.array(text, { maxLength: 200 }),
  // JSON has no negative zero.
  numbers: fc.array(
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    { maxLength: 200 },
  ),
  document: fc.uniqueArray(fc.tuple(text, text), { maxLength: 6, selector: ([path]) => path }).map((leaves) => leaves.flat()),
})
