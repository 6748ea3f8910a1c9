import type { Call, ThreadTurn } from '@heddle/core-api/types'
import { expect, test } from 'vitest'
import { toTurn } from './to-turn.ts'

const said = (role: string, text: string) => [{ role, parts: [{ type: 'text', text }] }]

const aTurn: ThreadTurn = {
  id: 'c1',
  trace_id: 't1',
  op_name: 'chat',
  display_name: null,
  started_at: '2026-01-01T00:00:00Z',
  ended_at: '2026-01-01T00:00:01Z',
  status: 'success',
  exception: null,
  is_parent_missing: true,
  tokens: 12,
  cost: 0.5,
  reported_uses: 0,
  unpriced_uses: 0,
  priced_as: [],
  is_behind: false,
  input: said('user', 'Why?'),
  output: said('assistant', 'Because'),
  input_call_id: 'c2',
  output_call_id: 'c2',
}

test('a turn shows what its trace was told, answered and used, and that a parent is missing', () => {
  expect(toTurn(aTurn, undefined)).toMatchObject({
    name: 'chat',
    latencyMs: 1_000,
    tokens: 12,
    cost: 0.5,
    isParentMissing: true,
    messages: [...said('user', 'Why?'), ...said('assistant', 'Because')],
    feedback: [],
  })
})

test('a turn without tokens shows none', () => {
  expect(toTurn({ ...aTurn, tokens: null, ended_at: null }, undefined)).toMatchObject({ tokens: null, latencyMs: null })
})

test('feedback of a turn is counted by what it is', () => {
  const feedback = [
    { feedback_type: 'wandb.reaction.1', payload: { emoji: '👍' } },
    { feedback_type: 'wandb.note.1', payload: { note: 'a' } },
    { feedback_type: 'wandb.note.1', payload: { note: 'b' } },
  ]
  const call = { attributes: {}, summary: { weave: { feedback } } } as unknown as Call
  expect(toTurn(aTurn, call).feedback).toEqual(['👍', 'Note × 2'])
})
