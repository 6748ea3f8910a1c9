import { expect, test } from 'vitest'
import { traceSearch } from './trace-search.ts'

const where = [{ path: 'op_name', operator: '=', value: 'answer' }]

test('the list that a call was opened from keeps its conditions and order, and nothing else of its address', () => {
  expect(traceSearch({ list: { where, sort: 'slowest', peek: 'c', columns: ['a'], level: 'some' } }).list).toEqual({
    where,
    sort: 'slowest',
  })
  expect(traceSearch({ list: {} }).list).toEqual({})
})

test.each([undefined, 'text', [where], null])('%j is no list', (list) => expect(traceSearch({ list }).list).toBeUndefined())
