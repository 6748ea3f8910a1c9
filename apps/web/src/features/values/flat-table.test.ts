import { expect, test } from 'vitest'
import { flatTableOf, tablesIn } from './flat-table.ts'

test('an array of objects without parts is a table with the columns of all', () => {
  const value = [
    { a: 1, b: null },
    { a: 2, c: 'x' },
  ]
  expect(flatTableOf(value)).toEqual({ columns: ['a', 'b', 'c'], rows: value })
})

test.each([
  [[]],
  [[1]],
  [[{ a: {} }]],
  [[{ a: 1 }, 'x']],
  [{ a: 1 }],
  [[{}]],
  [[Object.fromEntries(Array.from({ length: 31 }, (_, at) => [at, at]))]],
])('%j is no table', (value) => expect(flatTableOf(value)).toBeUndefined())

test('tables are found among the members of a value', () => {
  expect(tablesIn({ question: 'x', documents: [{ id: 1 }] }, 'inputs')).toEqual([
    { path: 'inputs.documents', table: { columns: ['id'], rows: [{ id: 1 }] } },
  ])
  expect(tablesIn([{ id: 1 }], 'output').map(({ path }) => path)).toEqual(['output'])
})
