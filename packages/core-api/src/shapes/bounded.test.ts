import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { listOf, recordOf, tooLargeBatch, type TooManyEntries } from './bounded.ts'
import { LenientInt } from './lenient.ts'
import { orDefault } from './optional.ts'
import { parsePaced } from './pace.ts'

/** Its elements are counted when they are read. */
function counted() {
  const seen = { entries: 0 }
  const entry = z.unknown().check((context) => {
    seen.entries++
    if (context.value !== 1) context.issues.push({ code: 'custom', message: 'not 1', input: context.value })
  })
  return { seen, entry }
}

const shapes = [
  ['a list', listOf, (length: number, value: unknown) => Array.from({ length }, () => value)],
  [
    'a dictionary',
    recordOf,
    (length: number, value: unknown) => Object.fromEntries(Array.from({ length }, (_, index) => [`k${index}`, value])),
  ],
] as const
const ways = [
  ['at once', async (schema: z.ZodType, value: unknown) => schema.safeParse(value)],
  ['in turns', (schema: z.ZodType, value: unknown) => parsePaced(schema, value, () => Promise.resolve())],
] as const

describe.each(shapes)('%s', (_, bounded, made) => {
  test.each(ways)('that is too long is refused %s before an entry is read', async (_way, parse) => {
    const { seen, entry } = counted()
    const result = await parse(z.object({ of: bounded(entry, 1_000) }), { of: made(1_001, 'wrong') })
    expect(result.error?.issues).toHaveLength(1)
    expect(seen.entries).toBe(0)
  })

  test.each(ways)('of wrong entries is read %s up to its twentieth finding', async (_way, parse) => {
    const { seen, entry } = counted()
    const result = await parse(z.object({ of: bounded(entry, 1_000_000) }), { of: made(100_000, 'wrong') })
    expect(result.error?.issues).toHaveLength(20)
    expect(seen.entries).toBe(20)
  })

  test.each(ways)('of lists of wrong entries has no more findings %s', async (_way, parse) => {
    const { seen, entry } = counted()
    const result = await parse(
      bounded(listOf(entry, 1_000), 1_000),
      made(
        500,
        Array.from({ length: 500 }, () => 'wrong'),
      ),
    )
    expect(result.error?.issues).toHaveLength(20)
    expect(seen.entries).toBe(20)
  })

  test.each(ways)('keeps its bound %s when it is described, optional or has a default', async (_way, parse) => {
    const inner = bounded(z.string(), 2)
    for (const schema of [inner.describe('d'), inner.nullish(), orDefault(inner, made(0, '') as never), inner.optional().describe('d')])
      expect((await parse(schema, made(3, 'a'))).success).toBe(false)
  })
})

test('the refusal of a longer list that an operation has itself comes with its length', () => {
  const result = z.object({ ids: listOf(z.string(), 2, tooLargeBatch) }).safeParse({ ids: ['a', 'b', 'c'] })
  expect(result.error?.issues[0] as TooManyEntries).toMatchObject({ path: ['ids'], refusal: tooLargeBatch, length: 3, maximum: 2 })
})

test('the bounds are those of the JSON schema', () => {
  expect(z.toJSONSchema(listOf(z.string(), 7).min(2).describe('d'))).toMatchObject({ type: 'array', minItems: 2, maxItems: 7 })
  expect(z.toJSONSchema(recordOf(z.string(), 7).describe('d'))).toMatchObject({ type: 'object', maxProperties: 7 })
})

test('a value is read in turns as it is at once, and between its parts others have theirs', async () => {
  const leaf = z.strictObject({ n: LenientInt, tags: listOf(z.string(), 20).optional() })
  const schema = z.object({ items: listOf(z.union([leaf, z.string()]), 400), prices: recordOf(listOf(LenientInt, 500), 10).nullish() })
  const item = fc.oneof(
    fc.record({ n: fc.oneof(fc.integer(), fc.constantFrom('7', '1.0', 'x', null)), tags: fc.array(fc.oneof(fc.string(), fc.integer())) }),
    fc.string(),
    fc.integer(),
  )
  const value = fc.record({
    items: fc.oneof(fc.array(item, { maxLength: 40 }), fc.integer()),
    prices: fc.oneof(
      fc.dictionary(fc.string(), fc.array(fc.integer(), { minLength: 250, maxLength: 400 }), { maxKeys: 3 }),
      fc.constant(null),
    ),
  })
  let turns = 0
  await fc.assert(
    fc.asyncProperty(value, async (given) => {
      const paced = await parsePaced(schema, given, () => {
        turns++
        return undefined
      })
      const atOnce = schema.safeParse(given)
      expect(paced.success).toBe(atOnce.success)
      expect(paced.success ? paced.data : paced.error.issues).toEqual(atOnce.success ? atOnce.data : atOnce.error?.issues)
    }),
    { seed: 20261128, numRuns: 200 },
  )
  expect(turns).toBeGreaterThan(1_000)
})
