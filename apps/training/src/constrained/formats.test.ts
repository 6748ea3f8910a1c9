import fc from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { allows, writeText } from './testing/follow.ts'
import { mixedTexts, vocabularyOf } from './testing/vocabularies.ts'
import { compileConstraint, followConstraint } from './token-constraint.ts'

const vocabulary = vocabularyOf(mixedTexts)
const compile = (format: string) => compileConstraint(vocabulary, { kind: 'json-schema', schema: { type: 'string', format } })

/** A reader of the format that is not ours, texts of it that are written, and texts that are not. */
const formats: [string, z.ZodType, string[], string[]][] = [
  ['email', z.email({ pattern: z.regexes.rfc5322Email }), ['a@b.co', 'x.y+z@a-b.example'], ['a@b', '@b.co', 'a b@c.de', 'a..b@c.de']],
  ['uri', z.url(), ['https://a.example/x?y=1#z', 'mailto:a@b.co'], ['a.example', 'http://', 'http://a b']],
  [
    'uuid',
    z.guid(),
    ['0b0e4f0a-1c1d-4e2f-8a3b-0c1d2e3f4a5b'],
    ['0b0e4f0a1c1d4e2f8a3b0c1d2e3f4a5b', '0b0e4f0a-1c1d-4e2f-8a3b-0c1d2e3f4a5g'],
  ],
  ['date', z.iso.date(), ['2024-02-29', '1999-12-31'], ['2023-02-29', '2024-13-01', '2024-1-1']],
  ['time', z.string(), ['23:59:59Z', '00:00:00.5+02:00'], ['24:00:00Z', '12:00Z', '12:00:00']],
  [
    'date-time',
    z.iso.datetime({ offset: true }),
    ['2024-02-29T12:00:00Z', '2024-01-01T00:00:00.123-05:30'],
    ['2024-01-01', '2024-01-01 00:00:00Z', '2023-02-29T00:00:00Z'],
  ],
  ['ipv4', z.ipv4(), ['0.0.0.0', '255.10.9.1'], ['256.0.0.1', '1.2.3', '01.2.3.4']],
  ['ipv6', z.ipv6(), ['::1', '2001:db8::ff00:42:8329', '1:2:3:4:5:6:7:8'], ['1:2:3:4:5:6:7', '1::2::3', 'g::1']],
  ['duration', z.iso.duration(), ['P3D', 'P1Y2M3DT4H5M6S', 'PT1S', 'P2W'], ['P', 'PT', 'P1S', '1D', 'P1W1D', 'P1DT']],
  ['uuid4', z.uuidv4(), ['0b0e4f0a-1c1d-4e2f-8a3b-0c1d2e3f4a5b'], ['0b0e4f0a-1c1d-1e2f-8a3b-0c1d2e3f4a5b']],
  ['jwt', z.jwt(), ['eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJh.AAAA'], ['a.b.c', 'eyJh.eyJh']],
  ['base64', z.base64(), ['', 'QUJD'], ['QUJ', 'a b=', '=']],
  ['base64url', z.base64url(), ['', 'QU-_'], ['QU+/', 'a']],
  ['ipv4network', z.cidrv4(), ['10.0.0.0/8', '1.2.3.4/32', '0.0.0.0/0'], ['10.0.0.1/8', '1.2.3.4', '1.2.3.4/33']],
  ['ipv4interface', z.cidrv4(), ['10.0.0.1/8', '1.2.3.4/0'], ['1.2.3.4', '1.2.3.4/33']],
  ['ipv6network', z.cidrv6(), ['::1/128'], ['::1', '::1/129']],
  ['ipv6interface', z.cidrv6(), ['::1/0', '::1/64', '::1/128'], ['::1', '::1/129']],
  ['ipvanyaddress', z.union([z.ipv4(), z.ipv6()]), ['1.2.3.4', '::1'], ['1.2.3', 'x']],
  ['json-string', readable(JSON.parse), ['1', '{"a": [1, null]}', '[]', '"x"'], ['', 'a', '{a: 1}', '[1,]', '01']],
  ['regex', readable((text) => new RegExp(text, 'u')), ['a\\d', 'x y'], ['(', '[', '\\']],
  ['json-pointer', z.string().regex(/^(?:\/(?:[^~/]|~[01])*)*$/), ['', '/a/0', '/~0~1', '/'], ['a', '/~', '/~2']],
  ['uri-reference', readable((text) => new URL(text, 'http://a')), ['/a/b?c#d', 'a/b', 'https://a.example/x'], ['a b', '<a>']],
  ['uri-template', z.string().min(1), ['/a/{b}', 'https://a.example/{?q,r}'], ['{', '{a', 'a b']],
  ['hostname', z.string().regex(/^[A-Za-z0-9.-]+$/), ['a', 'a-b.example'], ['-a.example', 'a..b', 'a_b']],
]

/** What a reader of its own takes without an error. */
function readable(read: (text: string) => unknown): z.ZodType {
  return z.string().refine((text) => {
    read(text)
    return true
  })
}

test.each(formats)('the format %s takes its texts and no others, and what is written is of it', (format, reader, valid, invalid) => {
  const compiled = compile(format)
  const isTaken = (text: string) => allows(followConstraint(compiled, []), new TextEncoder().encode(JSON.stringify(text)))
  expect(valid.filter((text) => !isTaken(text))).toEqual([])
  expect(invalid.filter(isTaken)).toEqual([])
  let finished = 0
  fc.assert(
    fc.property(fc.infiniteStream(fc.nat()), (choices) => {
      const choose = (allowed: number[], _canEnd: boolean, step: number) =>
        step > 60 && allowed.includes(0x22) ? 0x22 : allowed[choices.next().value! % allowed.length]!
      const chosen = writeText(followConstraint(compiled, []), vocabulary.size, choose, 400)
      if (chosen === null) return
      finished += 1
      const text = new TextDecoder().decode(Uint8Array.from(chosen.flatMap((token) => [...vocabulary.symbolsOf(token)])))
      expect(reader.safeParse(JSON.parse(text)).success, text).toBe(true)
    }),
    { numRuns: 20 },
  )
  expect(finished).toBeGreaterThanOrEqual(15)
})
