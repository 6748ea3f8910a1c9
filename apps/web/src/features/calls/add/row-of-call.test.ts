import { expect, test } from 'vitest'
import { columnsOfCalls, repeatedName, rowOfCall } from './row-of-call.ts'

test.each([
  [
    { inputs: { question: 'Where?', limit: 3 }, output: 'Oslo' },
    { question: 'Where?', limit: 3, output: 'Oslo' },
  ],
  [
    { inputs: { output: 'draft' }, output: 'final' },
    { 'inputs.output': 'draft', output: 'final' },
  ],
  [
    { inputs: { 'gen_ai.input.messages': [] }, output: { answer: 'Oslo' } },
    { 'gen_ai.input.messages': [], output: { answer: 'Oslo' } },
  ],
  [{ inputs: {}, output: null }, { output: null }],
])('the call %j is the row %j when nobody chooses', (call, row) => {
  expect(rowOfCall(call, columnsOfCalls([call]))).toEqual(row)
})

test('fields are renamed, left out, and taken from parts of an output', () => {
  const call = { inputs: { question: 'Where?', user: 'ada' }, output: { answer: 'Oslo', sources: [] } }
  const names: Record<string, string> = { 'inputs.question': 'input', 'output.answer': ' expected ' }
  const columns = columnsOfCalls([call]).map(({ path }) => ({ path, name: names[path] ?? '' }))
  expect(columns.map(({ path }) => path)).toEqual(['inputs.question', 'inputs.user', 'output', 'output.answer', 'output.sources'])
  expect(rowOfCall(call, columns)).toEqual({ input: 'Where?', expected: 'Oslo' })
})

test('messages become a column as chat completions write them, whatever the convention of the call', () => {
  const parts = [{ type: 'text', content: 'Where?' }]
  const span = {
    attributes: { gen_ai: { input: { messages: [{ role: 'user', parts }] }, output: { messages: [{ role: 'assistant', parts }] } } },
  }
  const call = { inputs: {}, output: null, attributes: { otel_span: span } }
  const columns = columnsOfCalls([call])
  expect(rowOfCall(call, columns)).toMatchObject({ messages: [{ role: 'user', content: 'Where?' }] })
  const answers = columns.map(({ path }) => ({ path, name: path === 'conversation.answer' ? 'expected' : '' }))
  expect(rowOfCall(call, answers)).toEqual({ expected: [{ role: 'assistant', content: 'Where?' }] })
})

test('messages that an input is already keep their column', () => {
  const call = { inputs: { messages: [{ role: 'user', content: 'Where?' }] }, output: 'Oslo' }
  expect(rowOfCall(call, columnsOfCalls([call]))).toEqual({ ...call.inputs, output: 'Oslo' })
})

test('a name that two columns would have is found', () => {
  const columns = [
    { path: 'inputs.a', name: 'a' },
    { path: 'inputs.b', name: '' },
    { path: 'inputs.c', name: '' },
  ]
  expect(repeatedName(columns)).toBeUndefined()
  expect(repeatedName([...columns, { path: 'output', name: 'a ' }])).toBe('a')
})
