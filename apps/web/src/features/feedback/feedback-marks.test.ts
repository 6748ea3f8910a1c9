import { expect, test } from 'vitest'
import { shortType, toFeedbackMarks } from './feedback-marks.ts'

test('marks say reactions and scores as they are, and count what is given more than once', () => {
  const rows = [
    { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } },
    { feedback_type: 'wandb.annotation.helpful', payload: { value: 0.5 } },
    { feedback_type: 'wandb.annotation.right', payload: { value: false } },
    { feedback_type: 'wandb.note.1', payload: { note: 'a' } },
    { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } },
    { feedback_type: 'quality', payload: { score: 1 } },
  ]
  expect(toFeedbackMarks(rows)).toEqual(['👍 × 2', 'helpful 0.5', 'right ✗', 'note', 'quality 1'])
  expect(toFeedbackMarks([])).toEqual([])
})

test.each([
  ['wandb.note.1', 'note'],
  ['wandb.runnable.exact', 'runnable.exact'],
  ['quality', 'quality'],
])('the type %s reads as %s', (type, short) => {
  expect(shortType(type)).toBe(short)
})
