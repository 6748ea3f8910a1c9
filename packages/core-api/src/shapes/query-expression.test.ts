import { describe, expect, test } from 'vitest'
import { CallsFilter } from './calls-filter.ts'
import { QueryExpression } from './query-expression.ts'
import { SortBy } from './sort.ts'

const field = { $getField: 'inputs.a' }
const one = { $literal: 1 }
const pathsOf = (value: unknown) => QueryExpression.safeParse(value).error?.issues.map((issue) => issue.path.join('.'))

describe('QueryExpression', () => {
  test.each([
    { $and: [{ $eq: [field, one] }, { $or: [] }] },
    { $not: [{ $gt: [one, field] }] },
    { $in: [field, [one, { $literal: 'x' }]] },
    { $in: [field, []] },
    { $contains: { input: field, substr: { $literal: 'b' }, case_insensitive: true } },
    { $eq: [{ $convert: { input: field, to: 'double' } }, { $size: field }] },
    { $eq: [{ $eq: [field, one] }, { $literal: null }] },
    { $eq: [field, { $literal: { a: [1] } }] },
  ])('takes %j', ($expr) => expect(QueryExpression.parse({ $expr })).toEqual({ $expr }))

  test.each<[unknown, string[]]>([
    [{ $expr: field }, ['$expr']],
    [{ $expr: one }, ['$expr']],
    [{ $expr: {} }, ['$expr']],
    [{ $expr: { $eq: [field, one], $and: [] } }, ['$expr']],
    [{ $expr: { $and: [] }, limit: 1 }, ['']],
    [{}, ['$expr']],
    [{ $expr: { $ne: [field, one] } }, ['$expr']],
    [{ $expr: { $eq: [field] } }, ['$expr.$eq']],
    [{ $expr: { $eq: [field, one, one] } }, ['$expr.$eq']],
    [{ $expr: { $not: [] } }, ['$expr.$not']],
    [{ $expr: { $in: [field, one] } }, ['$expr.$in.1']],
    [{ $expr: { $and: [{ $eq: [field, 1] }] } }, ['$expr.$and.0.$eq.1']],
    [{ $expr: { $contains: { input: field } } }, ['$expr.$contains.substr']],
    [{ $expr: { $contains: { input: field, substr: one, x: 1 } } }, ['$expr.$contains']],
    [{ $expr: { $eq: [{ $convert: { input: field, to: 'date' } }, one] } }, ['$expr.$eq.0.$convert.to']],
  ])('refuses %j', (value, paths) => expect(pathsOf(value)).toEqual(paths))

  test('a literal keeps the written form of its number', () => {
    const number = { [Symbol.for('heddle.JsonNumber')]: true, text: '3.0' }
    const query = QueryExpression.parse({ $expr: { $eq: [field, { $literal: number }] } })
    expect(query).toEqual({ $expr: { $eq: [field, { $literal: number }] } })
  })

  test('substrings are compared case-sensitively by default', () => {
    const query = QueryExpression.parse({ $expr: { $contains: { input: field, substr: one } } })
    expect(query).toMatchObject({ $expr: { $contains: { case_insensitive: false } } })
  })
})

test('a filter or an order with an unknown key is refused, since it would widen the result', () => {
  expect(CallsFilter.safeParse({ op_name: ['x'] }).success).toBe(false)
  expect(SortBy.safeParse({ field: 'a', direction: 'asc', nulls: 'first' }).success).toBe(false)
  expect(SortBy.safeParse({ field: 'a', direction: 'up' }).success).toBe(false)
})

test('in a filter null means not given, and an empty list stays', () => {
  expect(CallsFilter.parse({ op_names: null, thread_ids: [], trace_roots_only: 'true' })).toMatchObject({
    op_names: null,
    thread_ids: [],
    turn_ids: null,
    trace_roots_only: true,
  })
})
