import { expect, test } from 'vitest'
import { type CallTexts, isSilent, shownText } from './shown-text.ts'

const own = (text: string, isSpoken?: boolean): CallTexts => ({
  input: text,
  output: 'own',
  ...(isSpoken !== undefined && { isSpoken: { input: isSpoken, output: true } }),
})
const below = { input: 'What is six times seven?', output: 'Forty-two.' }

test.each<[string, CallTexts, boolean, boolean]>([
  ['an own text is shown', own('Why?', true), true, false],
  ['an own text of which nothing else is known is shown', own('Why?'), true, false],
  ['what is below is shown in place of nothing', own('', true), false, true],
  ['what is below is shown in place of the state of an agent that represents its trace', own('{"steps":1}', false), true, true],
  ['a span shows its own values', own('{"steps":1}', false), false, false],
])('%s', (_, texts, whole, isFromBelow) => {
  expect(isSilent(texts, 'input', whole)).toBe(isFromBelow)
  expect(shownText(texts, 'input', { whole, below })).toBe(isFromBelow ? below.input : texts.input)
  expect(shownText(texts, 'output', { whole, below })).toBe('own')
})

test('the own text is shown where nothing is said below', () => {
  expect(shownText(own('{"steps":1}', false), 'input', { whole: true, below: undefined })).toBe('{"steps":1}')
  expect(shownText(own('{"steps":1}', false), 'input', { whole: true, below: { input: '', output: '' } })).toBe('{"steps":1}')
})
