import { expect, test } from 'vitest'
import {
  type Draft,
  emptyDraft,
  messagesAt,
  noParameters,
  toBody,
  toMessages,
  withCopyOf,
  withMessagesAt,
  withoutVariant,
} from './draft.ts'

const draft = (change: Partial<Draft>): Draft => ({ ...emptyDraft, ...change })

test('a draft becomes the body of a request, with the parameters that are typed', () => {
  const typed = draft({
    messages: [{ role: 'user', content: 'Hello' }],
    tools: '[{"type": "function"}]',
    parameters: [noParameters, { ...noParameters, temperature: '0', seed: ' 7 ', max_tokens: '' }],
  })
  expect(toBody(typed, 1, 'small')).toEqual({
    model: 'small',
    messages: [{ role: 'user', content: 'Hello' }],
    tools: [{ type: 'function' }],
    temperature: 0,
    seed: 7,
  })
})

test('tool calls and results keep what joins them', () => {
  const messages = toMessages([
    { role: 'assistant', content: '', toolCalls: '[{"id": "c1"}]' },
    { role: 'tool', content: 'snow', toolCallId: 'c1' },
    { role: 'user', content: '[{"type": "image_url"}]', isParts: true },
  ])
  expect(messages).toEqual([
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] },
    { role: 'tool', content: 'snow', tool_call_id: 'c1' },
    { role: 'user', content: [{ type: 'image_url' }] },
  ])
})

test.each([
  [draft({ messages: [] }), 'Add a message'],
  [draft({ tools: '{}' }), 'Tools must be a JSON list'],
  [draft({ tools: '[' }), 'Tools must be a JSON list'],
  [draft({ messages: [{ role: 'assistant', content: '', toolCalls: 'x' }] }), 'The tool calls of message 1'],
  [draft({ parameters: [{ ...noParameters, temperature: 'warm' }] }), 'temperature of variant A must be a number, got "warm"'],
])('what cannot be sent says what to change', (typed, says) => {
  expect(() => toBody(typed, 0, 'small')).toThrow(says)
})

const user = (content: string) => [{ role: 'user' as const, content }]

test('a further variant says what the first says until it is changed, and follows it again once both are the same', () => {
  const first = withMessagesAt(emptyDraft, 0, user('a'))
  expect(messagesAt(first, 1)).toEqual(user('a'))
  const changed = withMessagesAt(first, 1, user('b'))
  expect([messagesAt(changed, 0), messagesAt(changed, 1), messagesAt(changed, 2)]).toEqual([user('a'), user('b'), user('a')])
  const back = withMessagesAt(changed, 1, user('a'))
  expect(messagesAt(withMessagesAt(back, 0, user('c')), 1)).toEqual(user('c'))
})

test('a copy begins as its variant does, and a variant that is removed takes its messages and parameters along', () => {
  const warm = { ...noParameters, temperature: '1' }
  const two = draft({ messages: user('a'), own: { 1: user('b') }, parameters: [noParameters, warm] })
  const three = withCopyOf(two, 1, 2)
  expect([messagesAt(three, 2), three.parameters[2]]).toEqual([user('b'), warm])
  const left = withoutVariant(three, 0, 3)
  expect([messagesAt(left, 0), messagesAt(left, 1), left.own]).toEqual([user('b'), user('b'), {}])
  expect(left.parameters).toEqual([warm, warm])
})

test('the values of variables are in the messages that are sent, and not in parts', () => {
  const typed = draft({
    messages: [...user('Order {{id}}, {{day}}'), { role: 'user', content: '[{"text": "{{id}}"}]', isParts: true }],
    variables: { id: '7' },
  })
  expect(toBody(typed, 0, 'small')['messages']).toEqual([
    { role: 'user', content: 'Order 7, {{day}}' },
    { role: 'user', content: [{ text: '{{id}}' }] },
  ])
})
