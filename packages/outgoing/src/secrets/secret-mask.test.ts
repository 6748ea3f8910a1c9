import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSecretMask, noSecrets } from './secret-mask.ts'

const key = 'sk-proj-Ab3/x+9"q\\Z~(7)'
const mask = createSecretMask([key, 'hunter2hunter2'])
const base64 = (text: string) => Buffer.from(text).toString('base64')

test.each([
  ['plain', `Incorrect API key provided: ${key}.`],
  ['in JSON', JSON.stringify({ error: { message: `key ${key}` } })],
  ['in JSON with slashes escaped', JSON.stringify({ key }).replaceAll('/', '\\/')],
  ['in JSON in JSON', JSON.stringify(JSON.stringify({ key }))],
  ['as Unicode escapes', [...key].map((c) => `\\u00${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`).join('')],
  ['in the echo of a header', `authorization: Bearer ${key}\r\nhost: x`],
  ['in a URL', `https://x.test/?key=${encodeURIComponent(key)}`],
  ['in a form', new URLSearchParams({ key }).toString()],
  ['in a URL with small letters', encodeURIComponent(key).replaceAll(/%../g, (code) => code.toLowerCase())],
  ['in base64', base64(key)],
  ['in base64 behind one character', base64(`x${key}`)],
  ['in base64 of a header', base64(`Authorization: Bearer ${key}\n`)],
  ['in base64 of user and password', `Basic ${base64(`user:${key}`)}`],
  ['in base64 for URLs', Buffer.from(`ab${key}`).toString('base64url')],
  ['in hex', Buffer.from(key).toString('hex')],
])('a secret is masked %s', (_way, text) => {
  const masked = mask.text(text)
  expect(masked).toContain('REDACTED')
  // Only those letters of the secret are left that base64 shares with its neighbours.
  for (let at = 0; at + 8 <= key.length; at++) expect(masked).not.toContain(key.slice(at, at + 8))
})

test('JSON with a masked secret stays JSON', () => {
  expect(JSON.parse(mask.text(JSON.stringify({ error: `no such key: "${key}"`, n: 1 })))).toEqual({
    error: 'no such key: "REDACTED"',
    n: 1,
  })
})

test('other texts are returned as they are', () => {
  for (const text of ['', 'hunter2', 'the key is sk-proj-Ab3/', 'a lone \ud800 surrogate', 'é'.repeat(50)])
    expect(mask.text(text)).toBe(text)
  expect(noSecrets.text(key)).toBe(key)
})

test('words and short texts are no secrets that can be masked', () => {
  expect(createSecretMask(['heddle', 'postgres', 'ab1']).text('heddle on postgres: ab1')).toBe('heddle on postgres: ab1')
})

test('a mask takes further secrets, and does not forget its own', () => {
  const more = mask.with(['another-secret-1', key])
  expect(more.text(`another-secret-1 and ${key}`)).toBe('REDACTED and REDACTED')
  expect(mask.with([key])).toBe(mask)
})

describe('of secrets cut across chunks', () => {
  const secrets = ['A1A1A1A1A1', 'A1A1A1A1B2', 'B2B2B2B2', 'xyz12345', 'q.xyz12345.q']
  const cutMask = createSecretMask(secrets)
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom(...secrets, 'A1', 'A1A1', 'B2', 'xyz', 'q.', '.q'),
        fc.string({ maxLength: 5 }).map((each) => each.replaceAll(/[^\x20-\x7e]/g, '?')),
      ),
      { maxLength: 20 },
    )
    .map((parts) => parts.join(''))

  test('nothing is left in any way to cut them, and all else arrives in order', () => {
    fc.assert(
      fc.property(text, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 10 }), (given, sizes) => {
        const bytes = Buffer.from(given)
        const stream = cutMask.stream()
        const out: Uint8Array[] = []
        for (let at = 0, index = 0; at < bytes.length; index++) {
          const size = sizes[index % sizes.length] ?? 1
          out.push(stream.push(bytes.subarray(at, at + size)))
          at += size
        }
        out.push(stream.end())
        const whole = Buffer.concat(out).toString()
        expect(whole).toBe(cutMask.text(given))
        for (const secret of secrets) expect(whole).not.toContain(secret)
        // The text between the secrets is left.
        const covered = Array.from({ length: given.length }, () => false)
        for (const secret of secrets)
          for (let at = given.indexOf(secret); at >= 0; at = given.indexOf(secret, at + 1)) covered.fill(true, at, at + secret.length)
        const between = Array.from({ length: given.length }, (_, at) => (covered[at] ? '' : given.charAt(at))).join('')
        expect(whole.replaceAll('REDACTED', '')).toBe(between)
      }),
      { numRuns: 500 },
    )
  })

  test('what begins no secret is passed on at once', () => {
    const stream = cutMask.stream()
    expect(Buffer.from(stream.push(Buffer.from('data: {"x":1}\n\n'))).toString()).toBe('data: {"x":1}\n\n')
    expect(Buffer.from(stream.push(Buffer.from('key xyz1'))).toString()).toBe('key ')
    expect(Buffer.from(stream.push(Buffer.from('2345 end'))).toString()).toBe('REDACTED end')
  })
})
