import { readFileSync } from 'node:fs'
import { JsonText } from '@heddle/core-api/internal'
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { canonicalJson, exceedsCanonicalLength } from './canonical-json.ts'
import { JsonNumber } from './json-number.ts'
import { parseJson } from './parse-json.ts'

interface Vector {
  name: string
  kind: string
  json: string
  canonical?: string
  builtin_object_class?: string
}

const file = new URL('../../../apps/tracing/src/vectors/digest-vectors.json', import.meta.url)
const { vectors } = JSON.parse(readFileSync(file, 'utf8')) as { vectors: Vector[] }
const plain = vectors.filter(
  ({ kind, json, canonical, builtin_object_class }) =>
    canonical && !builtin_object_class && kind !== 'object with references' && !json.includes('NaN'),
)

test.each(plain)('recorded: $name', ({ json, canonical }) => {
  expect(canonicalJson(parseJson(json, { loneSurrogates: 'keep' }))).toBe(canonical)
  expect(canonicalJson(new JsonText(json))).toBe(canonical)
})

test('values that only code can make are written by the same rules', () => {
  expect(canonicalJson({ v: [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], skip: undefined, big: 10n ** 30n })).toBe(
    '{"big": 1000000000000000000000000000000, "v": [NaN, Infinity, -Infinity]}',
  )
})

test('the text does not depend on key order or on spacing, and reading it back gives it again', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
      const canonical = canonicalJson(value)
      const reversed = Object.fromEntries(Object.entries(value).reverse())
      expect(canonicalJson(reversed)).toBe(canonical)
      expect(canonicalJson(parseJson(canonical, { loneSurrogates: 'keep' }))).toBe(canonical)
    }),
    { seed: 20260801, numRuns: 200 },
  )
})

test('a value exceeds a length by its canonical text, which is written no further than that', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: -2, max: 2 }), (value, distance) => {
      const { length } = canonicalJson(value)
      expect(exceedsCanonicalLength(value, length + distance)).toBe(distance < 0)
    }),
    { seed: 20261129, numRuns: 200 },
  )
  let reads = 0
  const parts = Array.from({ length: 1_000 }, () => ({
    get part() {
      reads++
      return 1
    },
  }))
  expect(exceedsCanonicalLength(parts, 100)).toBe(true)
  expect(reads).toBeLessThan(10)
})

test('an integer of any length is canonical as it was written, and is not converted', () => {
  const convert = vi.spyOn(globalThis, 'BigInt')
  const digits = '9'.repeat(100_000)
  expect(canonicalJson(parseJson(`[${digits}, -${digits}, -0, 0]`))).toBe(`[${digits}, -${digits}, 0, 0]`)
  expect(convert).not.toHaveBeenCalled()
  convert.mockRestore()
})

test('a float keeps the shortest digits that give the same double', () => {
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => n !== 0),
      (number) => {
        const text = canonicalJson(new JsonNumber(number.toExponential()))
        expect(Number(text)).toBe(number)
        expect(text).toMatch(/^-?\d+\.\d+$|^-?\d(\.\d+)?e[+-]\d{2,}$/)
      },
    ),
    { seed: 20260801, numRuns: 1_000 },
  )
})
