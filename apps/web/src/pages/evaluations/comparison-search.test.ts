import { expect, test } from 'vitest'
import { comparisonSearch } from './comparison-search.ts'

test('the address of a comparison is read, and invalid choices are left out', () => {
  const known = {
    ids: 'a,b',
    baseline: 'b',
    measure: 'exact',
    rows: 'errors',
    order: 'row',
    row: 'digest',
    from: 0,
    to: -1.5,
    of: 2,
  } as const
  expect(comparisonSearch(known)).toEqual(known)
  expect(comparisonSearch({ score: 'exact', is: true, isIn: '2' })).toEqual({ score: 'exact', is: 'true', isIn: 2 })
  expect(comparisonSearch({ ids: ['a'], rows: 'everything', order: 5, from: 'low', of: 0 })).toEqual({})
})
