import { expect, test } from 'vitest'
import { findFieldProblem, toFieldSchema } from './field-schemas.ts'

test.each([
  [{ name: 'Good?', kind: 'boolean', words: '' }, { type: 'boolean' }],
  [
    { name: 'Tone', kind: 'category', words: 'kind, rude,, kind' },
    { type: 'string', enum: ['kind', 'rude'] },
  ],
  [{ name: 'Score', kind: 'number', words: '' }, { type: 'number' }],
  [
    { name: 'Score', kind: 'number', words: '', minimum: '0', maximum: '10' },
    { type: 'number', minimum: 0, maximum: 10 },
  ],
  [
    { name: 'Why', kind: 'text', words: '' },
    { type: 'string', maxLength: 10_000 },
  ],
] as const)('the field %j has the schema %j', (field, schema) => {
  expect(toFieldSchema(field)).toEqual(schema)
  expect(findFieldProblem([field])).toBeUndefined()
})

test.each([
  [[{ name: ' ', kind: 'text', words: '' }], 'Each question needs a name'],
  [
    [
      { name: 'a b', kind: 'text', words: '' },
      { name: 'a-b', kind: 'text', words: '' },
    ],
    'Two questions are named "a-b"',
  ],
  [[{ name: 'tone', kind: 'category', words: 'kind' }], 'at least two options'],
  [[{ name: 'score', kind: 'number', words: '', minimum: 'low' }], 'must be of numbers'],
  [[{ name: 'score', kind: 'number', words: '', minimum: '5', maximum: '5' }], 'must end above its start'],
] as const)('the fields %j are refused: %s', (fields, problem) => {
  expect(findFieldProblem(fields)).toContain(problem)
})
