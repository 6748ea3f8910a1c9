import { stringifyJson } from '@heddle/json/exact'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Condition, operators, toExpression } from './call-condition.ts'
import { conditionsOfFilter, conditionText, parseFilter, toFilterOperation } from './parse-filter.ts'
import { FilterProblem } from './read-tokens.ts'

const condition = (path: string, operator: Condition['operator'], value: Condition['value']) => ({ condition: { path, operator, value } })

test('and binds closer than or, not closer than both, and brackets decide', () => {
  const [a, b, c] = [condition('a', '=', 1), condition('b', '>', 2), condition('c', 'contains', 'x')]
  expect(parseFilter('a = 1 or b > 2 and c contains x')).toEqual({ or: [a, { and: [b, c] }] })
  expect(parseFilter('(a = 1 OR b > 2) AND not c contains "x"')).toEqual({ and: [{ or: [a, b] }, { not: c }] })
  expect(parseFilter('a=1')).toEqual(a)
})

test.each([
  ['a = 1.5', 1.5],
  ['a = true', true],
  ['a = null', null],
  ['a = "null"', 'null'],
  ['a = plain', 'plain'],
  ['a = "with \\"marks\\" and spaces"', 'with "marks" and spaces'],
])('%s compares with %j', (text, value) => expect(parseFilter(text)).toEqual(condition('a', '=', value)))

test.each([
  ['', 0, 'a field, such as inputs.question, is missing at the end'],
  ['a', 1, 'a comparison (= != > >= < <= contains) is missing after a'],
  ['a ~ 1', 2, 'a comparison'],
  ['a =', 3, 'a value'],
  ['a = "x', 4, 'no closing quotation mark'],
  ['(a = 1', 6, 'a closing bracket is missing at the end'],
  ['a = 1 b = 2', 6, 'and, or or the end is missing before b'],
  ['a = 1 and', 9, 'a field'],
])('%j is refused at %i: %s', (text, at, words) => {
  const problem = catchProblem(text)
  expect([problem.at, problem.message]).toEqual([at, expect.stringContaining(words)])
})

test('what is too long or too deep is refused, not followed', () => {
  expect(catchProblem(`a = "${'x'.repeat(5_000)}"`).message).toContain('at most 4000 characters')
  expect(catchProblem(`${'('.repeat(200)}a = 1`).message).toContain('at most 50 levels')
})

test('a filter is what the query language says', () => {
  const field = ($getField: string) => ({ $getField })
  expect(toFilterOperation(parseFilter('not (a = 1 or b contains x)'))).toEqual({
    $not: [
      {
        $or: [
          { $eq: [field('a'), { $literal: 1 }] },
          { $contains: { input: field('b'), substr: { $literal: 'x' }, case_insensitive: true } },
        ],
      },
    ],
  })
})

const anyCondition = fc.record({
  path: fc.oneof(fc.constantFrom('op_name', 'attributes.a b', 'not', 'feedback.[*].payload'), fc.string({ minLength: 1 })),
  operator: fc.constantFrom(...operators.filter((operator) => operator !== 'contains')),
  value: fc.oneof(
    fc.string(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
  ),
})

test('conditions that are written as text are read as they were', () => {
  fc.assert(
    fc.property(fc.array(anyCondition, { minLength: 1, maxLength: 5 }), (conditions) => {
      const filter = parseFilter(conditions.map(conditionText).join(' and '))
      expect(stringifyJson(toExpression(conditionsOfFilter(filter) ?? []))).toBe(stringifyJson(toExpression(conditions)))
    }),
  )
})

test('a filter with or or not is no list of conditions', () => {
  for (const text of ['a = 1 or b = 2', 'a = 1 and not b = 2']) expect(conditionsOfFilter(parseFilter(text))).toBeUndefined()
})

function catchProblem(text: string): FilterProblem {
  try {
    parseFilter(text)
  } catch (error) {
    if (error instanceof FilterProblem) return error
  }
  throw new Error(`${text} was read`)
}
