import { expect, test } from 'vitest'
import { scoreReasons } from './score-reasons.ts'

test('texts at any depth are reasons; numbers, lists, null and empty texts are none', () => {
  const scores = { judge: { score: 0.5, reasoning: 'It left out Tuesday.', tags: ['a'], none: null }, label: 'fair', blank: ' ' }
  expect(scoreReasons(scores)).toEqual([
    { name: 'judge.reasoning', text: 'It left out Tuesday.' },
    { name: 'label', text: 'fair' },
  ])
})
