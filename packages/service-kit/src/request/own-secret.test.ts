import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskEscaped } from './escaped-secret.ts'
import { createOwnSecret } from './own-secret.ts'
import { formsOf } from './secret-forms.ts'

const secret = 'heddle_0123456789abcdefghijklmnopqrstuvwxyzABCD'
const own = createOwnSecret(secret)!

const masked = (text: string) => {
  const bytes = Buffer.from(text)
  own.mask(bytes)
  return bytes.toString()
}

test('the key of a request is masked in what it sends, as it is and in base64, by as many characters', () => {
  const basic = Buffer.from(`api:${secret}`).toString('base64')
  const text = JSON.stringify({ header: `Bearer ${secret}`, basic, twice: secret + secret, other: 'heddle_0123456789' })
  const result = masked(text)
  expect(result).toHaveLength(text.length)
  expect(result).not.toContain(secret.slice(8))
  expect(Buffer.from((JSON.parse(result) as { basic: string }).basic, 'base64').toString()).not.toContain(secret.slice(9, -9))
  expect(JSON.parse(result)).toMatchObject({ header: `Bearer REDACTED${'x'.repeat(secret.length - 8)}`, other: 'heddle_0123456789' })
})

test('a stream is masked as a whole is, wherever it is cut', () => {
  const pieces = fc.array(fc.oneof(fc.constant(secret), fc.constant(secret.slice(0, 20)), fc.string()), { maxLength: 6 })
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(60), { minLength: 1, maxLength: 20 }), (texts, cuts) => {
      const bytes = Buffer.from(texts.join(''))
      const stream = own.stream()
      const passed: Uint8Array[] = []
      let at = 0
      for (const cut of cuts) {
        passed.push(stream.push(bytes.subarray(at, at + cut)))
        at = Math.min(bytes.length, at + cut)
      }
      passed.push(stream.push(bytes.subarray(at)), stream.end())
      expect(Buffer.concat(passed).toString()).toBe(masked(texts.join('')))
    }),
  )
})

test('fields of path and query are masked, and a credential too short to be one is not', () => {
  expect(own.fields({ id: `x${secret}`, list: [secret, 'other'], plain: 'p' })).toEqual({
    id: `xREDACTED${'x'.repeat(secret.length - 8)}`,
    list: [`REDACTED${'x'.repeat(secret.length - 8)}`, 'other'],
    plain: 'p',
  })
  expect(createOwnSecret('short')).toBeUndefined()
  expect(createOwnSecret(undefined)).toBeUndefined()
})

test('the key is masked where JSON writes any of its characters as an escape, and in hex and addresses', () => {
  const escapes = fc.array(fc.constantFrom('plain', 'lower', 'upper'), { minLength: secret.length, maxLength: secret.length })
  const around = fc.string({ unit: fc.constantFrom('a', '\\\\', '\\n', '\\u0041', 'h', '\\"', '_'), maxLength: 40 })
  fc.assert(
    fc.property(escapes, around, around, (forms, before, after) => {
      const written = [...secret].map((character, index) => {
        const hex = character.charCodeAt(0).toString(16).padStart(4, '0')
        return forms[index] === 'plain' ? character : `\\u${forms[index] === 'upper' ? hex.toUpperCase() : hex}`
      })
      const text = `"${before}${written.join('')}${after}"`
      const result = masked(text)
      expect(result).toHaveLength(text.length)
      expect(JSON.parse(result)).not.toContain(secret)
      expect(result.startsWith(`"${before}REDACTED`)).toBe(true)
      expect(result.endsWith(`${after}"`)).toBe(true)
    }),
  )
  expect(masked(Buffer.from(secret).toString('hex'))).toMatch(/^REDACTEDx+$/)
  const odd = createOwnSecret('chosen/by+a "person" & long')!
  const bytes = Buffer.from(
    `{"url":"https://a.test/?key=${encodeURIComponent('chosen/by+a "person" & long')}","php":"chosen\\/by+a \\u0022person\\" & long"}`,
  )
  odd.mask(bytes)
  expect(bytes.toString()).not.toMatch(/chosen|person/)
})

test('the key is masked in JSON texts within JSON texts, three levels deep, and what stands around it is as it was', () => {
  const inner = fc.string({ unit: fc.constantFrom('a', '\\', 'u', '"', '\n', '0', '/'), maxLength: 12 })
  const levels = fc.integer({ min: 1, max: 3 })
  const escapes = fc.array(fc.boolean(), { minLength: secret.length, maxLength: secret.length }).filter((all) => all.includes(true))
  fc.assert(
    fc.property(inner, inner, escapes, levels, (before, after, isEscaped, depth) => {
      const written = [...secret].map((character, index) =>
        isEscaped[index] ? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}` : character,
      )
      const quoted = (text: string) => JSON.stringify(text).slice(1, -1)
      let text = `"${quoted(before)}${written.join('')}${quoted(after)}"`
      for (let level = 0; level < depth; level++) text = JSON.stringify(text)
      const result = masked(text)
      expect(result).toHaveLength(text.length)
      let read = result
      for (let level = 0; level <= depth; level++) read = JSON.parse(read) as string
      expect(read.startsWith(`${before}REDACTED`)).toBe(true)
      expect(read.endsWith(after)).toBe(true)
      expect(read).not.toContain(secret)
    }),
  )
})

test('escapes are found across the chunks in which a long text is decoded', () => {
  const escaped = `\\u0068${secret.slice(1)}`
  const text = `${escaped}${'x'.repeat(32_768 - 60)}${escaped}${'\\u0041'.repeat(20_000)}${escaped}`
  expect(masked(text)).toBe(text.replaceAll(escaped, 'REDACTED'.padEnd(escaped.length, 'x')))
})

test('a body is masked as by a search for each form of the key and a reading of all escapes, whatever else it holds', () => {
  const long = createHash('sha512').update(secret).digest('hex')
  const keys = [secret, 'bcdefghijk_mnopq', 'chosen/by+a person', `Z${long}${long.toUpperCase()}`]
  const maskOf = (length: number) => 'REDACTED'.padEnd(length, 'x').slice(0, length)
  const searched = (key: string, text: string) => {
    let bytes = Buffer.from(text)
    for (const form of formsOf(key)) bytes = Buffer.from(bytes.toString('latin1').replaceAll(form, maskOf(form.length)), 'latin1')
    maskEscaped(bytes, Buffer.from(key), (length) => Buffer.from(maskOf(length)))
    return bytes.toString('latin1')
  }
  const escaped = (text: string, backslashes: number) =>
    [...text].map((letter) => `${'\\'.repeat(backslashes)}u00${letter.charCodeAt(0).toString(16)}`).join('')
  const pieceOf = (key: string) =>
    fc.oneof(
      fc.constantFrom(...formsOf(key)),
      fc.nat(key.length).map((length) => key.slice(0, length)),
      fc.tuple(fc.nat(key.length), fc.constantFrom(1, 2, 3, 4, 8)).map(([at, count]) => key.slice(0, at) + escaped(key.slice(at), count)),
      fc.constantFrom('\\u00e9', '\\u0041', '\\u00', '\\\\', '\\"', '\u00e9', '\n'),
      fc.integer({ min: 32_600, max: 32_800 }).map((length) => '-'.repeat(length)),
      fc.string(),
    )
  fc.assert(
    fc.property(
      fc.constantFrom(...keys).chain((key) => fc.tuple(fc.constant(key), fc.array(pieceOf(key), { maxLength: 8 }))),
      ([key, pieces]) => {
        const bytes = Buffer.from(pieces.join(''))
        createOwnSecret(key)?.mask(bytes)
        expect(bytes.toString('latin1')).toBe(searched(key, pieces.join('')))
      },
    ),
  )
})
