import { expect, test } from 'vitest'
import { toDefinition } from './to-definition.ts'

test('a definition is read from a value of any shape', () => {
  const at = '2026-01-01T00:00:00Z'
  const value = { name: 'quiz', dataset: 'ref', scorers: ['one', { name: 'two' }], trials: 3 }
  expect(toDefinition('quiz-id', value, at)).toEqual({
    objectId: 'quiz-id',
    name: 'quiz',
    dataset: 'ref',
    scorers: ['one'],
    trials: 3,
    createdAt: at,
  })
  expect(toDefinition('id', 'text', at)).toEqual({ objectId: 'id', name: 'id', dataset: '', scorers: [], trials: null, createdAt: at })
})
