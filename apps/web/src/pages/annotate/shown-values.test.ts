import { expect, test } from 'vitest'
import { shownValues } from './shown-values.ts'

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
