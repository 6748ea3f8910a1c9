import { QueryExpression } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { attributePaths, compare, contains, equals, isNamedOp, isOneOf, isThere, not } from './index.ts'

test.each([
  [equals('id', 'x'), { $eq: [{ $getField: 'id' }, { $literal: 'x' }] }],
  [compare('$gte', 'started_at', 5), { $gte: [{ $getField: 'started_at' }, { $literal: 5 }] }],
  [isOneOf('id', ['x', 'y']), { $in: [{ $getField: 'id' }, [{ $literal: 'x' }, { $literal: 'y' }]] }],
  [not(isThere('exception')), { $not: [{ $convert: { input: { $getField: 'exception' }, to: 'exists' } }] }],
  [contains('output', 'part'), { $contains: { input: { $getField: 'output' }, substr: { $literal: 'part' }, case_insensitive: true } }],
])('%j is an expression of the contract', (built, expected) => {
  expect(built).toEqual(expected)
  expect(QueryExpression.parse({ $expr: built })).toEqual({ $expr: expected })
})

test('an op is found by its reference in any version, by its name, and by that of its span', () => {
  const text = JSON.stringify(isNamedOp('ask me'))
  for (const place of ['/op/ask%20me:', '"display_name"', '"summary.weave.trace_name"', '"attributes.otel_span.name"'])
    expect(text).toContain(place)
  expect(QueryExpression.safeParse({ $expr: isNamedOp('ask me') }).success).toBe(true)
})

test('an attribute is searched for where clients and spans have it', () => {
  expect(attributePaths('heddle.trajectory_id')).toEqual(['heddle.trajectory_id', 'otel_span.attributes.heddle.trajectory_id'])
})
