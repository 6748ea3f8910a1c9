import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMessages } from './draft.ts'
import { draftOfCall } from './draft-of-call.ts'

test('a call of a chat model is opened with its messages, tools, parameters and model', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'c1' }] },
    { role: 'tool', content: 'snow', tool_call_id: 'c1' },
  ]
  const opened = draftOfCall({ model: 'small', messages, tools: [{ type: 'function' }], temperature: 0.2, max_completion_tokens: 9 })
  expect(opened?.model).toBe('small')
  expect(opened?.draft.parameters).toEqual([{ temperature: '0.2', top_p: '', max_tokens: '9', seed: '' }])
  expect(JSON.parse(opened?.draft.tools ?? '')).toEqual([{ type: 'function' }])
  expect(toMessages(opened?.draft.messages ?? [])).toEqual(messages)
})

test('texts in parts are text, and other parts are kept as JSON', () => {
  const image = { type: 'image_url', image_url: { url: 'data:' } }
  const parts = [
    { type: 'text', content: 'a' },
    { type: 'input_text', text: 'b' },
  ]
  const opened = draftOfCall({
    'gen_ai.input.messages': [
      { role: 'human', parts },
      { role: 'user', content: [image] },
    ],
    'gen_ai.request.model': 'large',
  })
  expect(opened?.model).toBe('large')
  expect(toMessages(opened?.draft.messages ?? [])).toEqual([
    { role: 'user', content: 'a\nb' },
    { role: 'user', content: [image] },
  ])
})

test.each([{ question: 'x' }, { messages: [] }, { messages: ['x'] }, null, 'text'])(
  'a call without a conversation is not opened: %j',
  (inputs) => {
    expect(draftOfCall(inputs)).toBeUndefined()
  },
)

test('no inputs break the reading', () => {
  const message = fc.record({ role: fc.constantFrom('user', 'ai', 'x'), content: fc.jsonValue(), tool_calls: fc.jsonValue() })
  fc.assert(
    fc.property(fc.record({ messages: fc.array(fc.oneof(message, fc.jsonValue())), model: fc.jsonValue() }), (inputs) => {
      const opened = draftOfCall(inputs)
      if (opened) toMessages(opened.draft.messages)
    }),
    { numRuns: 100 },
  )
})
