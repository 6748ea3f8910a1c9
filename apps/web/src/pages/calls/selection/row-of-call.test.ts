import { expect, test } from 'vitest'
import { rowOfCall } from './row-of-call.ts'

test.each([
  [
    { inputs: { question: 'Where?', limit: 3 }, output: 'Oslo' },
    { question: 'Where?', limit: 3, output: 'Oslo' },
  ],
  [
    { inputs: { output: 'draft' }, output: 'final' },
    { 'inputs.output': 'draft', output: 'final' },
  ],
  [{ inputs: {}, output: null }, { output: null }],
])('the call %j is the row %j', (call, row) => {
  expect(rowOfCall(call)).toEqual(row)
})
