import { expect, test } from 'vitest'
import { likelihoodOf, probabilityText, summarise } from './token-text.ts'

test.each([
  [0, 'certain'],
  [Math.log(0.6), 'likely'],
  [Math.log(0.2), 'open'],
  [Math.log(0.05), 'unlikely'],
  [-9, 'rare'],
  [-9999, 'unknown'],
  [null, 'unknown'],
] as const)('a token with the log-probability %s is %s', (logprob, likelihood) => {
  expect(likelihoodOf({ token: 'a', logprob })).toBe(likelihood)
})

test('the mean leaves out what was not computed, and the least likely token is named', () => {
  const tokens = [
    { token: 'a', logprob: -1 },
    { token: 'b', logprob: -3 },
    { token: 'c', logprob: null },
  ]
  expect(summarise(tokens)).toEqual({ mean: -2, least: { token: 'b', logprob: -3 } })
  expect(summarise([{ token: 'c', logprob: null }])).toBeUndefined()
  expect(probabilityText({ token: 'a', logprob: Math.log(0.25) })).toBe('25%, log-probability -1.386')
})
