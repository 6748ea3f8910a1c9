import type { QueryExpression } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { readWordsPath, withWords } from './read-words.ts'

const field = (path: string) => ({ $getField: path })
const literal = (value: unknown) => ({ $literal: value })
const fieldsOf = (query: QueryExpression): string[] => {
  const found: string[] = []
  JSON.stringify(withWords(query), (key, value: unknown) => {
    if (key === '$getField') {
      const { path, isInWords } = readWordsPath(String(value))
      found.push(isInWords ? `${path} in words` : path)
    }
    return value
  })
  return found
}

test.each<[string, QueryExpression, string[]]>([
  ['a word on the right', { $expr: { $eq: [field('a'), literal('true')] } }, ['a in words']],
  ['a word on the left', { $expr: { $gt: [literal('false'), field('a')] } }, ['a in words']],
  ['another text', { $expr: { $eq: [field('a'), literal('True')] } }, ['a']],
  ['a boolean', { $expr: { $eq: [field('a'), literal(true)] } }, ['a']],
  ['a converted field', { $expr: { $eq: [{ $convert: { input: field('a'), to: 'string' } }, literal('true')] } }, ['a']],
  ['a list with a word', { $expr: { $in: [field('a'), [literal('true'), literal('x')]] } }, ['a', 'a in words']],
  ['a list without', { $expr: { $in: [field('a'), [literal('x')]] } }, ['a']],
  [
    'conditions within others',
    { $expr: { $and: [{ $not: [{ $eq: [field('a'), literal('true')] }] }, { $or: [{ $eq: [field('b'), literal(1)] }] }] } },
    ['a in words', 'b'],
  ],
  ['a containment', { $expr: { $contains: { input: field('a'), substr: literal('true'), case_insensitive: true } } }, ['a']],
])('beside %s', (_, query, fields) => {
  expect(fieldsOf(query)).toEqual(fields)
})
