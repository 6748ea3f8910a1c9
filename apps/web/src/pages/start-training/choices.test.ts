import { expect, test } from 'vitest'
import { groupings, readChoice, rewards } from './choices.ts'

test.each([
  [groupings, 'recorded', 'recorded', ''],
  [groupings, 'inputs.question', '', 'inputs.question'],
  [groupings, '', '', ''],
  [rewards, 'feedback', 'feedback', ''],
  [rewards, 'feedback:rating#value', 'feedback:', 'rating#value'],
  [rewards, 'score:', 'score:', ''],
  [rewards, 'scorer:judge', 'scorer:', 'judge'],
  [rewards, 'luck', 'recorded', ''],
])('of %j, "%s" is the choice "%s" with the detail "%s"', (choices, text, word, detail) => {
  const read = readChoice(choices, text)
  expect([read.choice.word, read.detail]).toEqual([word, detail])
})
