import { JsonNumber } from '@heddle/json'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSecretKey, maskSecrets } from './mask-secrets.ts'

describe('keys', () => {
  test.each([
    'auth_headers',
    'Authorization',
    'AUTH-TOKEN',
    'aws_access_key',
    'AwsAccessKeyId',
    'bearer_token',
    'vertex_credentials',
    'webhook-key',
    'webhookSecret',
  ])('%s is a secret by its whole name', (key) => {
    expect(isSecretKey(key)).toBe(true)
    expect(isSecretKey(`x${key}x`)).toBe(false)
  })
  test.each([
    'access_token',
    'apiKey',
    'API-TOKEN',
    'clientSecret',
    'private_key',
    'refresh-token',
    'secretAccessKey',
    'secret_key',
    'sessionToken',
  ])('%s is a secret at the end of a name', (key) => {
    expect(isSecretKey(key)).toBe(true)
    expect(isSecretKey(`openai_${key}`)).toBe(true)
    expect(isSecretKey(`${key}_`)).toBe(true)
    expect(isSecretKey(`${key}s`)).toBe(false)
  })
  test.each(['', 'key', 'token', 'secret', 'tokens', 'max_tokens', 'x_authorization', 'total_tokens', 'apikeyname', '__proto__'])(
    '%s is none',
    (key) => {
      expect(isSecretKey(key)).toBe(false)
    },
  )
})

describe('values', () => {
  test.each<[string, unknown, unknown]>([
    ['texts are masked', { api_key: 'x' }, { api_key: 'REDACTED' }],
    ['empty texts stay', { api_key: '' }, { api_key: '' }],
    ['numbers, booleans and null stay', { api_key: 1, apikey: true, 'api-key': null }, { api_key: 1, apikey: true, 'api-key': null }],
    ['lists and objects under such a key stay', { api_key: ['x'], apikey: { a: 'x' } }, { api_key: ['x'], apikey: { a: 'x' } }],
    ['at any depth', [{ a: [{ b: { api_key: 'x' } }] }], [{ a: [{ b: { api_key: 'REDACTED' } }] }]],
    ['inside objects under such a key', { api_key: { api_key: 'x' } }, { api_key: { api_key: 'REDACTED' } }],
    ['text stays text', 'api_key', 'api_key'],
  ])('%s', (_name, value, expected) => {
    expect(maskSecrets(value)).toEqual(expected)
  })

  test('what holds no secret is returned by reference, and nothing is changed in place', () => {
    const clean = { a: [1, { b: 'x' }] }
    const value = { clean, api_key: 'x' }
    const masked = maskSecrets(value)
    expect(maskSecrets(clean)).toBe(clean)
    expect(masked.clean).toBe(clean)
    expect(value.api_key).toBe('x')
  })

  test('number objects stay themselves', () => {
    const number = new JsonNumber('1.0')
    expect(maskSecrets({ number, api_key: 'x' }).number).toBe(number)
  })

  test('prototype names are data', () => {
    const value = JSON.parse('{"__proto__":{"api_key":"x"},"constructor":{"secret_key":"y"}}') as object
    expect(JSON.stringify(maskSecrets(value))).toBe('{"__proto__":{"api_key":"REDACTED"},"constructor":{"secret_key":"REDACTED"}}')
    expect(({} as Record<string, unknown>)['api_key']).toBeUndefined()
  })

  test('no text survives under any spelling of a secret key', () => {
    const spelling = fc
      .tuple(
        fc.constantFrom('accesstoken', 'apikey', 'privatekey', 'authorization', 'webhooksecret'),
        fc.array(fc.constantFrom('', '_', '-')),
        fc.array(fc.boolean()),
      )
      .map(([name, separators, upper]) =>
        Array.from(name, (letter, index) => (upper[index] ? letter.toUpperCase() : letter) + (separators[index] ?? '')).join(''),
      )
    fc.assert(
      fc.property(spelling, fc.string({ minLength: 1 }), (key, text) => {
        expect(maskSecrets([{ [key]: text }])).toEqual([{ [key]: 'REDACTED' }])
      }),
      { numRuns: 1000 },
    )
  })
})
