import { expect, test } from 'vitest'
import { scoreMark } from './score-marks.ts'

test.each([
  ['wandb.reaction.1', { emoji: '👍' }, '👍'],
  ['wandb.runnable.answer', { output: { reward: 0.53412, correct: true } }, 'answer.reward 0.534'],
  ['wandb.runnable.judge', { output: true }, 'judge ✓'],
  ['wandb.annotation.quality', { value: 'good' }, 'quality good'],
  ['wandb.annotation.quality', { value: 'x'.repeat(50) }, 'quality'],
  ['wandb.annotation.quality', { value: { reason: 'x'.repeat(50) } }, 'quality'],
  ['wandb.note.1', { note: 'see this' }, undefined],
  ['constructor', {}, undefined],
  ['quality', { score: 0.25 }, 'quality 0.25'],
  ['quality', { score: 0.25, by: 'judge' }, undefined],
  ['quality', { reason: 'x'.repeat(50) }, undefined],
])('%s %j is marked as %s', (feedback_type, payload, mark) => {
  expect(scoreMark({ feedback_type, payload })).toBe(mark)
})
