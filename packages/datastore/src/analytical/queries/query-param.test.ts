import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestStores, type TestStores } from '../../testing/index.ts'
import { bind, sql } from '../sql.ts'

let stores: TestStores
beforeAll(async () => {
  stores = await startTestStores()
})
afterAll(() => stores.close())

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc
    .array(fc.constantFrom('\t', '\n', '\r', "'", '\\', '"', '[', ',', '{p0:String}', 'é', '\u0001', '🍩'), { maxLength: 8 })
    .map((parts) => parts.join('')),
)
const withoutNul = (value: string) => value.replaceAll('\0', '')

test('texts reach the engine as they are, alone, long and in lists', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text.map(withoutNul), { maxLength: 5 }), async (texts) => {
      const short = texts.join('')
      const long = short + 'x'.repeat(1_001) + short
      const [row] = await stores.analytical.rows<Record<string, unknown>>(
        sql`SELECT ${bind('String', short)} AS short, ${bind('String', long)} AS long, ${bind('Array(String)', texts)} AS texts,
          ${bind(
            'Array(Tuple(String, String))',
            texts.map((one): [string, string] => [one, short]),
          )} AS pairs`,
      )
      expect(row).toEqual({ short, long, texts, pairs: texts.map((one) => [one, short]) })
    }),
    { seed: 20261128, numRuns: 60 },
  )
})

test('a long text finds what a short one would', async () => {
  const long = `'${'\\x'.repeat(1_000)}`
  const [row] = await stores.analytical.rows<{ found: number }>(
    sql`SELECT toFloat64(countIf(a = ${bind('String', long)} AND a IN (${bind('Array(String)', [long, 'b'])}))) AS found FROM (SELECT arrayJoin([concat('\\'', repeat('\\\\x', 1000)), 'b']) AS a)`,
  )
  expect(row?.found).toBe(1)
})

test(
  'a list of more than a megabyte is one set for all rows, so that a statement with it keeps its time limit',
  { timeout: 60_000 },
  async () => {
    const known = ['7', "it's", '\t', '199999']
    const ids = [...Array.from({ length: 40_000 }, (_, index) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`), ...known]
    const list = bind('Array(String)', ids)
    const [row] = await stores.analytical.rows<{ inside: number; outside: number; parenthesized: number }>(
      sql`SELECT toFloat64(countIf(text IN ${list})) AS inside, toFloat64(countIf(text NOT IN ${list})) AS outside,
      toFloat64(countIf(text IN (${list}))) AS parenthesized FROM (SELECT toString(number) AS text FROM numbers(200000))`,
      { maxSeconds: 20 },
    )
    expect(row).toEqual({ inside: 2, outside: 199_998, parenthesized: 2 })
  },
)
