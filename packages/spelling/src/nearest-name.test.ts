import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const known = ['eval_compare', 'evals_list', 'trace_get', 'id']

test.each([
  ['an exchanged letter', 'trace_gte', 'trace_get'],
  ['another case', 'TRACE_GET', 'trace_get'],
  ['a longer form of it', 'eval_comparison', 'eval_compare'],
  ['a known name in a much longer one', 'please_call_trace_get_for_me', 'trace_get'],
  ['two letters in a much longer name', 'identification', undefined],
  ['nothing like it', 'weather', undefined],
  ['no name', '', undefined],
])('%s', (_, name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest)
})

test('no name is near where none is known', () => {
  expect(nearestName('trace_get', [])).toBeUndefined()
})
