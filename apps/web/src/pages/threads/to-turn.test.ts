import type { Call } from '@heddle/core-api'
import { expect, test } from 'vitest'
import { toTurn } from './to-turn.ts'

const aCall = (fields: Partial<Call>): Call =>
  ({
    id: 'c1',
    op_name: 'chat',
    display_name: null,
    started_at: '2026-01-01T00:00:00Z',
    ended_at: '2026-01-01T00:00:01Z',
    exception: null,
    inputs: {},
    output: null,
    attributes: {},
    summary: {},
    ...fields,
  }) as Call

test('a turn shows its own question and answer, without the conversation before it', () => {
  const inputs = {
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'First' },
      { role: 'assistant', content: 'One' },
      { role: 'user', content: 'Second' },
    ],
  }
  const output = { choices: [{ message: { role: 'assistant', content: 'Two' } }] }
  expect(toTurn(aCall({ inputs, output })).messages).toEqual([
    { role: 'user', parts: [{ type: 'text', text: 'Second' }] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Two' }] },
  ])
})

test('a turn without messages shows its values', () => {
  expect(toTurn(aCall({ inputs: { question: 'Why?' }, output: 'Because' })).messages).toEqual([
    { role: 'input', parts: [{ type: 'text', text: 'Why?' }] },
    { role: 'output', parts: [{ type: 'text', text: 'Because' }] },
  ])
  expect(toTurn(aCall({ inputs: { a: 1, b: 2 } })).messages).toEqual([
    { role: 'input', parts: [{ type: 'text', text: '{\n  "a": 1,\n  "b": 2\n}' }] },
  ])
})

test('feedback of a turn is counted by what it is', () => {
  const feedback = [
    { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } },
    { feedback_type: 'wandb.note.1', payload: { note: 'a' } },
    { feedback_type: 'wandb.note.1', payload: { note: 'b' } },
  ]
  expect(toTurn(aCall({ summary: { weave: { feedback } } })).feedback).toEqual(['👍', 'note × 2'])
})
