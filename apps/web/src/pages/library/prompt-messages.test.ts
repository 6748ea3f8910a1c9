import { expect, test } from 'vitest'
import { messagesOfPrompt, variablesOf } from './prompt-messages.ts'

test.each([
  [{ content: 'Be brief' }, [{ role: 'prompt', text: 'Be brief' }]],
  [{ messages: [{ role: 'system', content: 'Hi' }] }, [{ role: 'system', text: 'Hi' }]],
  [{ messages: [{ role: 'user', content: ['a'] }] }, [{ role: 'user', text: '[\n  "a"\n]' }]],
  [{ messages: ['a'] }, [{ role: 'message', text: 'a' }]],
  [{ messages: [] }, undefined],
  [{ rows: 1 }, undefined],
  [null, undefined],
])('the messages of %j are %j', (val, messages) => {
  expect(messagesOfPrompt(val)).toEqual(messages)
})

test('a message that says more than a text is shown whole', () => {
  const [message] = messagesOfPrompt({ messages: [{ role: 'tool', content: 'snow', tool_call_id: 'c' }] }) ?? []
  expect(message?.text).toContain('"tool_call_id": "c"')
})

test('the variables of a prompt are named once each', () => {
  expect(variablesOf([{ role: 'user', text: '{a} {b} {a}' }])).toEqual(['a', 'b'])
  expect(variablesOf([{ role: 'user', text: '{{ a }} {{b}}' }])).toEqual(['a', 'b'])
})
