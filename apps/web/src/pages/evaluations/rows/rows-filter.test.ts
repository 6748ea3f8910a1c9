import { expect, test } from 'vitest'
import { readRowsFilter } from './rows-filter.ts'

test('a text becomes a condition on the trials of each run', () => {
  const query = { $expr: { $eq: [{ $getField: 'scores.exact.match' }, { $literal: false }] } }
  expect(readRowsFilter('scores.exact.match = false', ['a', 'b']).filters).toEqual([
    { evaluation_call_id: 'a', query },
    { evaluation_call_id: 'b', query },
  ])
})

test('no text is no filter, and one that cannot be read says where', () => {
  expect(readRowsFilter(' ', ['a'])).toEqual({ filters: undefined, problem: undefined })
  expect(readRowsFilter('scores.a ~ 1', ['a'])).toMatchObject({
    filters: undefined,
    problem: expect.stringContaining('at character 10'),
  })
})
