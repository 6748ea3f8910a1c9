import { expect, test } from 'vitest'
import { scoreValues } from './score-values.ts'

/** As readers keep a number that JavaScript would write differently. */
const exact = (text: string) => ({ text, valueOf: () => Number(text), toString: () => text })

test('numbers and booleans at any depth are values, also numbers that are kept as they were sent', () => {
  const scores = {
    match: true,
    judge: { score: exact('1.0'), tries: 2, id: exact('9007199254740993') },
    reason: 'close',
    list: [1],
    none: null,
  }
  expect(scoreValues(scores)).toEqual([
    { name: 'match', value: true },
    { name: 'judge.score', value: 1 },
    { name: 'judge.tries', value: 2 },
    { name: 'judge.id', value: 9_007_199_254_740_992 },
  ])
})

test('a number beyond those of JavaScript is no value', () => {
  expect(scoreValues({ a: exact('1e400'), b: Number.NaN })).toEqual([])
})
