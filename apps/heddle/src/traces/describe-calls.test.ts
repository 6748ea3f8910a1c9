import { expect, test } from 'vitest'
import { aCall } from '../testing/a-call.ts'
import { describeCalls } from './describe-calls.ts'

test('calls say in JSON which is the root, whose parent is missing, and what counts at and below them', () => {
  const summary = { usage: { m: { input_tokens: 10, output_tokens: 2, total_tokens: 12 } } }
  const sent = { wire: 'otlp', is_model_call: true, scope: null } as const
  const calls = [
    aCall({ id: 'a', parent_id: 'never sent', wire: 'otlp', summary }),
    aCall({ id: 'b', parent_id: 'a', ...sent, summary: { ...summary, weave: { costs: { m: { prompt_tokens_total_cost: 0.5 } } } } }),
    aCall({ id: 'c', parent_id: 'a', wire: 'otlp', exception: 'failed' }),
  ]
  expect(describeCalls(calls)).toMatchObject([
    { id: 'a', is_root: true, is_parent_missing: true, status: 'descendant_error', tokens: 12, cost: 0.5 },
    { id: 'b', is_root: false, is_parent_missing: false, status: 'success', tokens: 12, cost: 0.5 },
    { id: 'c', is_root: false, status: 'error', tokens: null, cost: null },
  ])
})
