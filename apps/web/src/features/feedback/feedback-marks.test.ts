import { expect, test } from 'vitest'
import { nameOfType, toFeedbackMarks } from './feedback-marks.ts'

test('marks say reactions and scores as they are, and count what is given more than once', () => {
  const rows = [
    { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } },
    { feedback_type: 'wandb.annotation.helpful', payload: { value: 0.5 } },
    { feedback_type: 'wandb.annotation.right', payload: { value: false } },
    { feedback_type: 'wandb.note.1', payload: { note: 'a' } },
    { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } },
    { feedback_type: 'quality', payload: { score: 1 } },
  ]
  expect(toFeedbackMarks(rows)).toEqual(['👍 × 2', 'helpful 0.5', 'right ✗', 'Note', 'quality 1'])
  expect(toFeedbackMarks([])).toEqual([])
})

test.each([
  ['wandb.note.1', 'Note'],
  ['wandb.annotation.helpful', 'Annotation helpful'],
  ['wandb.agent_user_feedback', 'User feedback'],
  ['wandb.runnable.exact', 'Score exact'],
  ['wandb.runnable.a.1', 'Score a.1'],
  ['quality', 'quality'],
])('the type %s reads as %s', (type, short) => {
  expect(nameOfType(type)).toBe(short)
})
