import { expect, test } from 'vitest'
import { messagesOf, shownValues, titleOfPath } from './shown-values.ts'

const call = { inputs: { messages: [{ content: 'hi' }] }, output: { text: 'hello' }, exception: null }

test('without display fields, inputs and output are shown', () => {
  expect(shownValues(call, []).map(({ path }) => path)).toEqual(['inputs', 'output'])
})

test.each([
  ['inputs.messages.0.content', 'hi'],
  ['input.messages.0.content', 'hi'],
  ['output.text', 'hello'],
  ['output.missing', undefined],
  ['output.constructor', undefined],
  ['', undefined],
])('the path %j shows %j', (path, value) => {
  expect(shownValues(call, [path])).toEqual([{ path, value }])
})

const asked = { role: 'user', content: 'Where?' }
const called = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{}' } }],
}
const spoken = { inputs: { messages: [asked], model: 'm' }, output: { choices: [{ message: called }] } }

test.each([
  ['inputs', ['text']],
  ['inputs.messages', ['text']],
  ['input.messages.0', ['text']],
  ['inputs.model', []],
  ['inputs.missing', []],
  ['output', ['tool_call']],
  ['output.choices', ['tool_call']],
  ['output.choices.0.message', ['tool_call']],
  ['output.choices.0.message.role', []],
  ['attributes.messages', []],
])('the value at %j has messages of the parts %j', (path, parts) => {
  const [shown] = shownValues(spoken, [path])
  expect(messagesOf(spoken, shown!).flatMap((message) => message.parts.map(({ type }) => type))).toEqual(parts)
})

test.each([
  ['inputs', 'Input'],
  ['input', 'Input'],
  ['output', 'Output'],
  ['exception', 'Error'],
  ['inputs.question', 'Input: question'],
  ['input.messages.0', 'Input: messages.0'],
  ['inputs.inputs.question', 'Input: question'],
  ['output.answer', 'Output: answer'],
  ['attributes.user', 'attributes.user'],
  ['inputs_of_mine', 'inputs_of_mine'],
])('the value at %j is named %j', (path, title) => expect(titleOfPath(path)).toBe(title))
