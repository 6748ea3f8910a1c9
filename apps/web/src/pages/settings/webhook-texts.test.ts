import { expect, test } from 'vitest'
import { answerOf, stateOf } from './webhook-texts.ts'

const time = '2026-03-01T00:00:00Z'
const attempt = { message_id: 'm', event: 'webhook.test', status: 200, error: null, attempted_at: time } as const

test.each([
  ['not used yet', { disabled_at: null, failing_since: null, last_attempt: null }],
  ['working', { disabled_at: null, failing_since: null, last_attempt: attempt }],
  ['failing', { disabled_at: null, failing_since: time, last_attempt: attempt }],
  ['disabled', { disabled_at: time, failing_since: time, last_attempt: attempt }],
])('a webhook is %s', (state, webhook) => expect(stateOf(webhook)).toBe(state))

test('an answer is told by its status, or by what went wrong', () => {
  expect(answerOf({ status: 204, error: null })).toBe('accepted with status 204')
  expect(answerOf({ status: 500, error: 'the receiver responded with status 500' })).toBe('the receiver responded with status 500')
})
