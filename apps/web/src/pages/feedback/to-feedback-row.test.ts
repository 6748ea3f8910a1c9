import { expect, test } from 'vitest'
import { toFeedbackRow } from './to-feedback-row.ts'

const common = { id: 'f1', wb_user_id: 'ada', creator: null, created_at: '2026-01-01T00:00:00Z' }

test.each([
  [{ emoji: '👍', alias: ':+1:' }, '👍'],
  [{ note: 'Too long' }, 'Too long'],
  [{ value: { correct: true } }, 'correct: true'],
  [{ output: 0.5 }, '0.5'],
  [{ stars: 3 }, 'stars: 3'],
])('the payload %j reads as %s', (payload, value) => {
  expect(toFeedbackRow({ ...common, feedback_type: 'x', weave_ref: 'weave:///e/p/call/c1', payload })).toMatchObject({
    value,
    callId: 'c1',
    creator: 'ada',
  })
})

test.each([
  ['weave:///e/p/object/o:abc', { entity: 'e', project: 'p', kind: 'objects', name: 'o', digest: 'abc' }],
  ['weave:///e/p/op/answer:abc', { entity: 'e', project: 'p', kind: 'ops', name: 'answer', digest: 'abc' }],
  ['weave:///e/p/call/c1', undefined],
  ['no reference', undefined],
])('feedback on %s is about the version %j', (weave_ref, version) => {
  expect(toFeedbackRow({ ...common, feedback_type: 'x', weave_ref, payload: {} }).version).toEqual(version)
})

test.each(['weave:///e/p/object/o:abc', 'no reference'])('feedback on %s leads to no call', (weave_ref) => {
  expect(toFeedbackRow({ ...common, feedback_type: 'x', weave_ref, payload: {} }).callId).toBeUndefined()
})

test('feedback on a conversation is about the thread of that id', () => {
  const weave_ref = 'weave:///e/p/agent_conversation/user%3A1'
  expect(toFeedbackRow({ ...common, feedback_type: 'x', weave_ref, payload: {} })).toMatchObject({
    threadId: 'user:1',
    callId: undefined,
    version: undefined,
  })
})
