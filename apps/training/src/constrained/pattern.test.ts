import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { trials } from '@heddle/testing'
import { z } from 'zod'
import { allows, writeText } from './testing/follow.ts'
import { mixedTexts, vocabularyOf } from './testing/vocabularies.ts'
import { compileConstraint, followConstraint } from './token-constraint.ts'

const vocabulary = vocabularyOf(mixedTexts)
const compile = (schema: unknown) => compileConstraint(vocabulary, { kind: 'json-schema', schema })
const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))

describe('strings of a pattern', () => {
  const patterns = ['^a+$', 'b', '^(?:ab|b{2,3}"?)*$', 'a$|^b', '^[^a]{1,2}$', '^\\D\\n?.$', '^$|^ü[😀-😂]?$', '(?:a|^)b(?:$|")', '^\\\\?$']
  const looking = [
    '^(?=.*1)(?=.*a).{2,4}$',
    '^(?!b)[ab1]+$',
    '^[ab]+(?<!b)$',
    '(?<=a)b',
    '(?<!a)b(?!1)',
    '\\bab?\\b',
    'a\\Bb',
    '^(?:a(?=b)|b(?!b))+$',
    '(?=(?:ab)+$)',
    '^(?!.*aa)(?=[^1]*1)',
    'a(?=$)|(?<=^b)1',
    '^\\p{L}+$',
    '^[\\p{Emoji_Presentation}a]+$',
    '\\P{Ll}',
  ]

  test('are those in which the expression finds it', () => {
    const characters = fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', '\n', '\u0001', 'ü', '😀', '1'), maxLength: 5 })
    const all = [...patterns, ...looking]
    const compiled = new Map(all.map((pattern) => [pattern, compile({ type: 'string', pattern, minLength: 1, maxLength: 4 })]))
    fc.assert(
      fc.property(fc.constantFrom(...all), characters, (pattern, text) => {
        const length = [...text].length
        const isValid = new RegExp(pattern, 'u').test(text) && length >= 1 && length <= 4
        expect(allows(followConstraint(compiled.get(pattern)!, []), bytesOf(text))).toBe(isValid)
      }),
      { numRuns: trials({ usual: 3_000, long: 200_000 }) },
    )
  })

  test.each<[string, z.ZodType]>([
    ['email', z.email()],
    ['short email', z.email().max(12)],
    ['url', z.url()],
    ['uuid', z.uuid()],
    ['guid', z.guid()],
    ['date', z.iso.date()],
    ['date and time', z.iso.datetime()],
    ['time', z.iso.time()],
    ['ipv4', z.ipv4()],
    ['ipv6', z.ipv6()],
    ['cuid', z.cuid()],
    ['nanoid', z.nanoid()],
    ['base64', z.base64()],
    ['phone number', z.e164()],
    ['expression', z.string().regex(/^[A-Z]{2,4}-\d+$/)],
    ['beginning', z.string().startsWith('a.b')],
    ['emoji', z.emoji()],
    ['duration', z.iso.duration()],
    ['cuid2', z.cuid2()],
    ['ulid', z.ulid()],
    ['network', z.cidrv4()],
    ['password', z.string().regex(/^(?=.*\d)(?=.*[a-z]).{8,20}$/u)],
    ['name other than', z.string().regex(/^(?!admin)[a-z]+$/)],
    ['letters', z.string().regex(/^\p{L}+$/u)],
    ['unicode email', z.email({ pattern: z.regexes.unicodeEmail })],
  ])('that zod makes for its %s are valid there, whatever is chosen', (_name, type) => {
    const compiled = compile(z.toJSONSchema(type))
    let finished = 0
    fc.assert(
      fc.property(fc.infiniteStream(fc.nat()), (choices) => {
        const chosen = writeText(
          followConstraint(compiled, []),
          vocabulary.size,
          (allowed, _canEnd, step) => (step > 60 && allowed.includes(0x22) ? 0x22 : allowed[choices.next().value! % allowed.length]!),
          400,
        )
        if (chosen === null) return
        finished += 1
        const text = new TextDecoder().decode(Uint8Array.from(chosen.flatMap((token) => [...vocabulary.symbolsOf(token)])))
        expect(type.safeParse(JSON.parse(text)).success, text).toBe(true)
      }),
      { numRuns: 20 },
    )
    expect(finished).toBeGreaterThanOrEqual(15)
  })

  test('are refused by name where no automaton holds them or it grows too large', () => {
    expect(() => compile({ type: 'string', pattern: '(a)\\1' })).toThrow('\\1, which is not supported')
    expect(() => compile({ type: 'string', pattern: '(?:a{100}){100}' })).toThrow('more than 3000 places')
    expect(() => compile({ type: 'string', pattern: 'a.{20}$' })).toThrow('patterns')
    expect(() => compile({ type: 'string', pattern: '(' })).toThrow('not a regular expression')
    expect(() => compile({ type: 'string', pattern: '^a$', minLength: 2 })).toThrow('cannot be fulfilled')
  })
})
