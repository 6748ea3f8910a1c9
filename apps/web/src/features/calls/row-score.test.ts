import { expect, test } from 'vitest'
import { rowScoreOf } from './row-score.ts'

test.each([
  ['wandb.runnable.exact', { output: { match: true } }, { kind: 'score', name: 'exact.match', value: true }],
  ['wandb.runnable.length', { output: 0.5 }, { kind: 'score', name: 'length', value: 0.5 }],
  ['wandb.annotation.tone', { value: 'polite' }, { kind: 'score', name: 'tone', value: 'polite' }],
  ['wandb.reaction.1', { emoji: '👍' }, { kind: 'reaction', emoji: '👍' }],
  ['wandb.runnable.long', { output: 'x'.repeat(21) }, undefined],
  ['wandb.runnable.none', { output: null }, undefined],
  ['wandb.note.1', { note: 'Look here' }, undefined],
])('feedback of the type %s that says %j is the score %j', (feedback_type, payload, expected) =>
  expect(rowScoreOf({ feedback_type, payload } as Parameters<typeof rowScoreOf>[0])).toEqual(expected),
)
