import { expect, test } from 'vitest'
import { categoriesOf } from './categories-of.ts'

test('short texts that recur are categories, the most frequent first', () => {
  const payloads = [{ value: 'billing' }, { value: 'refund' }, { value: 'refund' }, { value: '' }, { value: 3 }, {}]
  expect(categoriesOf(['value'], payloads)).toEqual([
    {
      path: 'value',
      values: [
        { value: 'refund', count: 2 },
        { value: 'billing', count: 1 },
      ],
    },
  ])
})

test.each([
  ['texts that never recur', [{ value: 'one' }, { value: 'two' }]],
  ['long texts', Array.from({ length: 3 }, () => ({ value: 'a'.repeat(41) }))],
  ['more texts than bars fit', Array.from({ length: 26 }, (_, at) => ({ value: `text ${at % 13}` }))],
])('%s are not categories', (_, payloads) => {
  expect(categoriesOf(['value'], payloads)).toEqual([])
})

test('a path leads into the payload', () => {
  const payloads = [{ output: { label: 'good' } }, { output: { label: 'good' } }]
  expect(categoriesOf(['output.label', 'output.other'], payloads).map(({ path }) => path)).toEqual(['output.label'])
})
