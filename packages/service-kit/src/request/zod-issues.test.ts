import { expect, test } from 'vitest'
import { z } from 'zod'
import { toIssues } from './zod-issues.ts'

function found(schema: z.ZodType, input: unknown) {
  const result = schema.safeParse(input)
  return result.success ? [] : toIssues(result.error, { root: 'body', input })
}

const one = (type: string, msg: string, loc: (string | number)[] = ['body', 'a']) => [{ loc, msg, type }]

test.each<[string, z.ZodType, unknown, unknown]>([
  ['a missing field', z.string(), undefined, one('missing', 'Field required')],
  ['a missing union', z.union([z.string(), z.number()]), undefined, one('missing', 'Field required')],
  ['a text', z.string(), 1, one('string_type', 'Input should be a valid string')],
  ['a number', z.number(), 'x', one('float_type', 'Input should be a valid number')],
  ['an integer', z.int(), 1.5, one('int_type', 'Input should be a valid integer')],
  ['a boolean', z.boolean(), 1, one('bool_type', 'Input should be a valid boolean')],
  ['a list', z.array(z.string()), {}, one('list_type', 'Input should be a valid list')],
  ['a dictionary', z.record(z.string(), z.string()), [], one('dict_type', 'Input should be a valid dictionary')],
  ['null for an object', z.object({}), null, one('dict_type', 'Input should be a valid dictionary')],
  ['three words', z.enum(['x', 'y', 'z']), 'q', one('literal_error', "Input should be 'x', 'y' or 'z'")],
  ['one word', z.literal(1), 2, one('literal_error', 'Input should be 1')],
  ['a lower bound', z.number().min(1), 0, one('greater_than_equal', 'Input should be greater than or equal to 1')],
  ['an open lower bound', z.number().gt(1), 1, one('greater_than', 'Input should be greater than 1')],
  ['an upper bound', z.number().max(1), 2, one('less_than_equal', 'Input should be less than or equal to 1')],
  ['an open upper bound', z.number().lt(1), 1, one('less_than', 'Input should be less than 1')],
  ['a short text', z.string().min(1), '', one('string_too_short', 'String should have at least 1 character')],
  ['a long text', z.string().max(2), 'abc', one('string_too_long', 'String should have at most 2 characters')],
  ['a short list', z.array(z.string()).min(2), [], one('too_short', 'List should have at least 2 items')],
  ['a long list', z.array(z.string()).max(1), ['a', 'b'], one('too_long', 'List should have at most 1 item')],
  ['a multiple', z.number().multipleOf(5), 3, one('multiple_of', 'Input should be a multiple of 5')],
  ['an unknown key', z.strictObject({}), { b: 1 }, one('extra_forbidden', 'Extra inputs are not permitted', ['body', 'a', 'b'])],
  ['the place in a list', z.array(z.object({ n: z.string() })), [{ n: 'x' }, {}], one('missing', 'Field required', ['body', 'a', 1, 'n'])],
  [
    'the nearest branch of a union',
    z.union([z.string(), z.object({ kind: z.object({ n: z.string() }) })]),
    { kind: { n: 1 } },
    one('string_type', 'Input should be a valid string', ['body', 'a', 'kind', 'n']),
  ],
  ['a rule of our own', z.string().refine(() => false, { message: 'no', params: { type: 'rule' } }), 'x', one('rule', 'no')],
  ['a rule without a name', z.string().refine(() => false, 'no'), 'x', one('value_error', 'no')],
])('%s', (_name, schema, value, issues) => {
  expect(found(z.object({ a: schema }), value === undefined ? {} : { a: value })).toEqual(issues)
})

test('a response lists at most a hundred issues', () => {
  expect(
    found(
      z.array(z.string()),
      Array.from({ length: 5_000 }, () => 1),
    ),
  ).toHaveLength(100)
})

test('a key that only a prototype has is missing', () => {
  expect(found(z.object({ constructor: z.object({}) }), {})).toEqual(one('missing', 'Field required', ['body', 'constructor']))
})
