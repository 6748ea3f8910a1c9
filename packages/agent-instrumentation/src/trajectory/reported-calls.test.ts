import { expect, test } from 'vitest'
import type { RecordedExchange } from '../capture/recorder.ts'
import { createReportedCalls } from './reported-calls.ts'

function exchange(question: string, response: string, ...responseIds: string[]): RecordedExchange {
  return {
    messages: [{ role: 'user', content: question }],
    tools: null,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: response } }],
    model: 'm',
    policyVersion: undefined,
    isComplete: true,
    responseIds,
    request: {},
  }
}

const error = new Error('failed')

test('a reported call is known by the id of its response, else by what was said, else by its failure', () => {
  const calls = createReportedCalls()
  const [byId, byText, failed, unseen] = [calls.begin(), calls.begin(), calls.begin(), calls.begin()]
  calls.sawCall(exchange('b', '2', 'other'))
  calls.sawCall(exchange('a', '1', 'id-1'))
  calls.sawCall({ error })
  expect(byId(exchange('rewritten', 'rewritten', 'id-1'))).toBe(true)
  expect(byText(exchange('b', '2'))).toBe(true)
  expect(failed({ error })).toBe(true)
  expect(unseen(exchange('c', '3'))).toBe(false)
})

test('each call that was seen counts for one reported call', () => {
  const calls = createReportedCalls()
  const [one, other] = [calls.begin(), calls.begin()]
  calls.sawCall(exchange('a', '1'))
  expect([one(exchange('a', '1')), other(exchange('a', '1'))]).toEqual([true, false])
})

test('what was seen before a call was reported, or longer ago than the limit, is forgotten', () => {
  const calls = createReportedCalls(2)
  calls.sawCall(exchange('a', '1'))
  const first = calls.begin()
  expect(calls.isUnderway()).toBe(true)
  for (const text of ['b', 'c', 'd']) calls.sawCall(exchange(text, text))
  const [second, third] = [calls.begin(), calls.begin()]
  expect([first(exchange('a', '1')), second(exchange('b', 'b')), third(exchange('d', 'd'))]).toEqual([false, false, true])
  expect(calls.isUnderway()).toBe(false)
})
