import { expect, test } from 'vitest'
import { partsOfRow } from './parts-of-row.ts'

test.each([
  [
    { question: 'Why?', expected: 'So.' },
    { input: 'Why?', expected: 'So.' },
  ],
  [
    { id: 1, prompt: 'Why?', answer: 0 },
    { input: 'Why?', expected: 0 },
  ],
  [
    { question: '', input: 'Why?' },
    { input: 'Why?', expected: undefined },
  ],
  [
    { city: 'Oslo', answer: 'Norway' },
    { input: { city: 'Oslo', answer: 'Norway' }, expected: undefined },
  ],
  ['a text', { input: 'a text', expected: undefined }],
  [[1, 2], { input: [1, 2], expected: undefined }],
  [null, { input: null, expected: undefined }],
])('of %j the parts are %j', (row, parts) => {
  expect(partsOfRow(row)).toEqual(parts)
})
