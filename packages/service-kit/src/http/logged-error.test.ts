import { expect, test } from 'vitest'
import { loggedError } from './logged-error.ts'

const secret = 'what the user wrote'

function thrownBy(work: () => unknown): unknown {
  try {
    return work()
  } catch (error) {
    return error
  }
}

class StoreError extends Error {
  readonly kind = 'data'
}

test.each<[string, unknown]>([
  ['words', new Error(secret)],
  [
    'words of several lines that look like a place',
    new Error(`x\n    at ${secret} (/a.ts:1:1)\n    at /${secret.replaceAll(' ', '')}:1:1`),
  ],
  ['words of a cause', new Error('a', { cause: new Error(secret, { cause: new Error(secret) }) })],
  ['words of several errors', new AggregateError([new Error(secret)], secret)],
  ['properties', Object.assign(new Error('a'), { detail: secret, parameters: [secret], code: secret, kind: secret })],
  ['a name', Object.assign(new Error('a'), { name: secret })],
  ['a text that is thrown', secret],
  ['an object that is thrown', { secret }],
  ['JSON that cannot be read', thrownBy(() => JSON.parse(`{"${secret}`))],
  ['a number that cannot be read', thrownBy(() => BigInt(secret))],
  ['a time zone that is none', thrownBy(() => new Intl.DateTimeFormat('en', { timeZone: secret }))],
])('an error keeps its %s to itself', (_what, error) => {
  const written = JSON.stringify(loggedError(error))
  expect(written).not.toContain(secret)
  expect(written).not.toContain(secret.replaceAll(' ', ''))
})

test('an error is logged with class, kind, code and location, also of its cause', () => {
  const error = new StoreError('no', { cause: Object.assign(new TypeError('no'), { code: 117 }) })
  expect(loggedError(error)).toEqual({
    type: 'StoreError',
    kind: 'data',
    at: expect.arrayContaining([expect.stringMatching(/logged-error\.test\.ts:\d+:\d+/)]),
    cause: { type: 'TypeError', code: 117, at: expect.any(Array) },
  })
})

test('causes that go round in a circle end', () => {
  const error = new Error('a')
  error.cause = error
  expect(loggedError(error)).toMatchObject({ cause: { cause: { type: 'Error' } } })
})
