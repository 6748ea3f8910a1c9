import { expect, test } from 'vitest'
import { mapException } from './status.ts'
import { aSpan, events, nested } from '../../testing/a-span.ts'

const exception = (type?: string, message?: string) =>
  events(
    ['exception', { 'exception.type': 'Old', 'exception.message': 'old' }],
    ['exception', { ...(type && { 'exception.type': type }), ...(message && { 'exception.message': message }) }],
  )

test.each<[string, Parameters<typeof mapException>, string | null]>([
  ['unset is not a failure', [aSpan(), nested({}), exception('T', 'm')], null],
  ['ok is not a failure', [aSpan({ statusCode: 1, statusMessage: 'm' }), nested({}), []], null],
  ['an unknown code is not a failure', [aSpan({ statusCode: 7 }), nested({}), []], null],
  ['the status message', [aSpan({ statusCode: 2, statusMessage: 'boom' }), nested({}), exception('T', 'm')], 'boom'],
  ['the newest exception event', [aSpan({ statusCode: 2 }), nested({}), exception('T', 'm')], 'T: m'],
  ['its type alone', [aSpan({ statusCode: 2 }), nested({}), exception('T')], 'T'],
  ['its message alone', [aSpan({ statusCode: 2 }), nested({}), exception(undefined, 'm')], 'm'],
  ['error.type', [aSpan({ statusCode: 2 }), nested({ 'error.type': 'timeout' }), []], 'timeout'],
  ['error', [aSpan({ statusCode: 2 }), nested({}), exception()], 'error'],
  [
    'the level of an observation and its message',
    [aSpan(), nested({ 'langfuse.observation.level': 'ERROR', 'langfuse.observation.status_message': 'refused' }), []],
    'refused',
  ],
  ['the level of an observation alone', [aSpan(), nested({ 'langfuse.observation.level': 'ERROR' }), []], 'error'],
  ['another level is not a failure', [aSpan(), nested({ 'langfuse.observation.level': 'WARNING' }), []], null],
])('%s', (_name, given, expected) => {
  expect(mapException(...given)).toBe(expected)
})
