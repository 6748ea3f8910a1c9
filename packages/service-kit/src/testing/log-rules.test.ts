import { expect, test } from 'vitest'
import { findLeaks, payloadCanary } from './log-rules.ts'

const key = `heddle${'a1b2c'.repeat(9)}`
const encoded = (text: string) => Buffer.from(text).toString('base64')
const good = {
  level: 30,
  method: 'POST',
  operation: 'tracing.calls.start',
  status: 200,
  ms: 1.5,
  waited: 0,
  bytes: 120,
  key: 'id',
  msg: 'request',
}
const error = { type: 'StoreError', kind: 'data', at: ['/a.ts:1:1'], cause: { type: 'Error', code: 117, at: [] } }

test.each<[string, string]>([
  ['an answered request', JSON.stringify(good)],
  ['a figure of any name', JSON.stringify({ ...good, waited: 12.5, first: true, none: null })],
  ['an error without its words', JSON.stringify({ level: 50, operation: 'tracing.calls.start', err: error, msg: 'an operation failed' })],
  ['text for people', 'Heddle listens on http://127.0.0.1:7400'],
  ['long names', `a path /tmp/${'x'.repeat(80)}/heddle.db`],
])('%s passes', (_what, line) => {
  expect(findLeaks(line)).toEqual([])
})

test.each<[string, string, string]>([
  ['a key', `key ${key} is wrong`, 'a key'],
  ['a key as Basic credential', JSON.stringify({ ...good, operation: encoded(`api:${key}`) }), 'a key in base64'],
  ['a key after a long user name', JSON.stringify({ ...good, operation: encoded(`some-user-name:${key}`) }), 'a key in base64'],
  ['a key inside of longer base64', `x${encoded(`api:${key}`)}`, 'a key in base64'],
  ['any Bearer credential', 'Bearer 0123456789', 'a credential'],
  ['the header of a request', '{"authorization":"x"}', 'a credential'],
  ['a payload', JSON.stringify({ ...good, operation: `read ${payloadCanary}` }), 'a payload'],
  [
    'a lost row',
    '{"level":50,"path":"/x","msg":"the store refuses rows that were acknowledged; they are kept"}',
    'rows that were acknowledged and refused',
  ],
  ['a field that may hold anything', JSON.stringify({ ...good, body: 'x' }), 'the field "body", which no log line has'],
  ['the words of an error', JSON.stringify({ err: { ...error, message: 'x' } }), 'the field "err.message", which no log line has'],
  [
    'the words of a cause',
    JSON.stringify({ err: { ...error, cause: { ...error, stack: 'x' } } }),
    'the field "err.cause.stack", which no log line has',
  ],
  ['an error that is a text', JSON.stringify({ err: 'x' }), 'the field "err", which no log line has'],
])('%s is found', (_what, line, leak) => {
  expect(findLeaks(line)).toContain(leak)
})
