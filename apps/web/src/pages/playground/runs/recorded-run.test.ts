import { expect, test } from 'vitest'
import { emptyAnswer } from '../../../features/playground/answer.ts'
import { toCall } from './recorded-run.ts'

test('a run that was stopped is recorded with what was said, its tokens under its model, and why it ended', () => {
  const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 }
  const answer = { ...emptyAnswer, text: 'Hel', usage }
  const body = { model: 'small', messages: [] }
  expect(toCall('e/p', 'c1', { body, answer, problem: 'stopped', startedMs: 0, endedMs: 1_000 })).toMatchObject({
    id: 'c1',
    trace_id: 'c1',
    started_at: '1970-01-01T00:00:00.000Z',
    ended_at: '1970-01-01T00:00:01.000Z',
    inputs: body,
    output: { choices: [{ message: { role: 'assistant', content: 'Hel' } }] },
    summary: { usage: { small: { ...usage, requests: 1 } } },
    exception: 'stopped',
  })
})
