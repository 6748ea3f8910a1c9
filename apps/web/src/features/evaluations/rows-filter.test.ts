import { expect, test } from 'vitest'
import { readRowsFilter } from './rows-filter.ts'
import { maxRunFilters, readRunFilters } from './run-filters.ts'

const isFalse = { $expr: { $eq: [{ $getField: 'scores.exact.match' }, { $literal: false }] } }
const isTrue = { $expr: { $eq: [{ $getField: 'scores.exact.match' }, { $literal: true }] } }
const runs = ['a', 'b']

test('a text becomes a condition on the trials of each run, of which one must hold', () => {
  const filters = runs.map((evaluation_call_id) => ({ evaluation_call_id, query: isFalse }))
  const condition = { filters, filter_logic_operator: 'or' }
  expect(readRowsFilter({ text: 'scores.exact.match = false', run: undefined }, runs)).toEqual({ condition, problem: undefined })
  // A run that is not compared does not count.
  expect(readRowsFilter({ text: 'scores.exact.match = false', run: 'c' }, runs)).toEqual({ condition, problem: undefined })
})

test('conditions on several runs must all hold', () => {
  const further = [
    { in: 'b', filter: 'scores.exact.match = true' },
    { in: 'c', filter: 'scores.exact.match = true' },
  ]
  expect(readRowsFilter({ text: 'scores.exact.match = false', run: 'a', further }, runs).condition).toEqual({
    filters: [
      { evaluation_call_id: 'a', query: isFalse },
      { evaluation_call_id: 'b', query: isTrue },
    ],
    filter_logic_operator: 'and',
  })
  expect(readRowsFilter({ text: '', run: undefined, further }, runs).condition?.filters).toEqual([
    { evaluation_call_id: 'b', query: isTrue },
  ])
  expect(readRowsFilter({ text: 'scores.exact.match = false', run: undefined, further }, runs)).toEqual({
    condition: undefined,
    problem: 'with conditions on several runs, each needs its run',
  })
})

test('no text is no filter, and one that cannot be read says where', () => {
  expect(readRowsFilter({ text: ' ', run: 'a' }, runs)).toEqual({ condition: undefined, problem: undefined })
  const problem = expect.stringContaining('at character 10') as string
  expect(readRowsFilter({ text: 'scores.a ~ 1', run: 'a' }, runs)).toEqual({ condition: undefined, problem })
  const further = [{ in: 'b', filter: 'scores.a ~ 1' }]
  expect(readRowsFilter({ text: undefined, run: undefined, further }, runs)).toEqual({ condition: undefined, problem })
})

test('further conditions of an address have a run and a text', () => {
  expect(readRunFilters([{ in: 'a', filter: 'x = 1', more: 1 }, { in: 'b' }, null, { filter: 'x = 1' }])).toEqual([
    { in: 'a', filter: 'x = 1' },
  ])
  expect(readRunFilters([{ in: 'a' }])).toBeUndefined()
  expect(readRunFilters('a')).toBeUndefined()
  expect(readRunFilters(Array.from({ length: maxRunFilters + 1 }, () => ({ in: 'a', filter: 'x = 1' })))).toHaveLength(maxRunFilters)
})
