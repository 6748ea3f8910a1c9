import { expect, test } from 'vitest'
import { commentPhrases, findCommentPhrases, findPhrases, findPhrasesOfStrings } from './wording.mjs'

test.each([
  ['a value that is no number is left out', 'that is no n'],
  ['@throws Error for fields which are no lists', 'which are no l'],
  ['the usage of a call is no part of that of its parent', 'no part of that of'],
  ['more traces are cut, and that is said', 'that is said'],
  ['there is no key "k" of e/p to list keys after', 'there is no key "k" of e/p to list keys after'],
  ['what is no archive is refused', 'what is no archive'],
  ['says what is wrong and how to mend it', 'how to mend'],
])('%j is found', (text, found) => {
  expect(findPhrases(`one\n${text}`).map((one) => [one.line, one.found])).toContainEqual([2, found])
})

test.each([
  'a value that is not a number is left out',
  'a store that is no longer open',
  'an answer that is no more than 4,000 tokens',
  'there is no key',
  'the server told its log',
  'what was said in the conversation',
])('%j is plain', (text) => expect(findPhrases(text)).toEqual([]))

test.each([
  ['/** Stands for the row. */', 'Stands for'],
  [' * Closed if nobody is connected.', 'nobody'],
  ['const limit = 5 // further rows are thrown away', 'thrown away'],
  ['/** The rows that a reader asked for. */', 'asked for'],
  ['/** Of the built pages. */', '/** Of the'],
])('the comment %j is found', (text, found) => {
  expect(findCommentPhrases(`one\n${text}`).map((one) => [one.line, one.found])).toEqual([[2, found]])
})

test.each(["const text = 'nobody'", 'nobody(until)', '/** The requested rows. */', 'const a = b * nobody'])(
  '%j has no such comment',
  (text) => expect(findCommentPhrases(text)).toEqual([]),
)

test.each([
  ["user: z.string().describe('User, or nobody')", 'nobody'],
  ['description: `${adminOnly}. Scores asked for.`,', 'asked for'],
  ["      '`*` stands for any name',", 'stands for'],
])('the text in %j is found', (code, found) => {
  expect(findPhrasesOfStrings(`one\n${code}`).map((one) => [one.line, one.found])).toEqual([[2, found]])
})

test.each(["status: z.enum(['nobody'])", 'nobody(until, "a text")', "isOf('one', nobody, 'two words')"])('%j has no such text', (code) =>
  expect(findPhrasesOfStrings(code)).toEqual([]),
)

test('comments are checked for at least forty distinct phrases', () => {
  const sources = commentPhrases.map(([pattern]) => pattern.source)
  expect(sources.length).toBeGreaterThanOrEqual(40)
  expect(new Set(sources).size).toBe(sources.length)
})
