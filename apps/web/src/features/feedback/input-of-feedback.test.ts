import type { Feedback } from '@heddle/core-api/types'
import { parseExactJson } from '@heddle/json/exact'
import { expect, test } from 'vitest'
import { inputOfFeedback } from './input-of-feedback.ts'

test('restored feedback has the content of the original, without the fields that the server sets', () => {
  const payload = parseExactJson('{"note":"Read it","size":12345678901234567890}')
  const read = {
    id: '1',
    created_at: '2026-03-01T00:00:00.000Z',
    wb_user_id: 'me',
    weave_ref: 'weave:///a/b/call/1',
    creator: null,
    feedback_type: 'wandb.note.1',
    payload,
    queue_id: 'queue',
    scorer_tags: ['kind'],
  } as unknown as Feedback
  expect(inputOfFeedback('a/b', read)).toEqual({
    project_id: 'a/b',
    weave_ref: 'weave:///a/b/call/1',
    feedback_type: 'wandb.note.1',
    payload,
    queue_id: 'queue',
    scorer_tags: ['kind'],
  })
})
