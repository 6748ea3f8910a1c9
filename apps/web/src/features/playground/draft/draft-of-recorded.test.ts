import { expect, test } from 'vitest'
import { toMessages } from './draft.ts'
import { draftOfRecorded } from './draft-of-recorded.ts'

const called = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'find', arguments: '{"city":"Ulm"}' } }],
}

test('a request of another provider is opened as chat messages, with the model of its span', () => {
  const contents = [
    { role: 'user', parts: [{ text: 'Where?' }] },
    { role: 'model', parts: [{ functionCall: { id: 'c1', name: 'find', args: { city: 'Ulm' } } }] },
    { role: 'user', parts: [{ functionResponse: { id: 'c1', name: 'find', response: { result: 'sunny' } } }] },
  ]
  const opened = draftOfRecorded({ inputs: { 'input.value': { contents } }, attributes: { model: 'm', tools: [{ name: 'find' }] } })
  expect(toMessages(opened?.draft.messages ?? [])).toEqual([
    { role: 'user', content: 'Where?' },
    called,
    { role: 'tool', content: 'sunny', tool_call_id: 'c1' },
  ])
  expect([opened?.model, JSON.parse(opened?.draft.tools ?? '')]).toEqual(['m', [{ name: 'find' }]])
})

test('a chat completion is opened as it was sent', () => {
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'a' }] }, called]
  expect(toMessages(draftOfRecorded({ inputs: { model: 'small', messages } })?.draft.messages ?? [])).toEqual([
    { role: 'user', content: 'a' },
    called,
  ])
})

test('a call without a conversation is not opened', () => {
  expect(draftOfRecorded({ inputs: { question: 'x' } })).toBeUndefined()
})
