import { expect, test } from 'vitest'
import { type Draft, emptyDraft, noParameters, toBody, toMessages } from './draft.ts'

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
  [draft({ parameters: [{ ...noParameters, temperature: 'warm' }] }), 'temperature of variant 1 must be a number, got "warm"'],
])('what cannot be sent says what to change', (typed, says) => {
  expect(() => toBody(typed, 0, 'small')).toThrow(says)
})
