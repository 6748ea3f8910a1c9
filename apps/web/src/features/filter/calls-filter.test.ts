import { expect, test } from 'vitest'
import { inWords, parseCallsFilter } from './calls-filter.ts'

test.each([
  ['latency > 500', { path: 'summary.weave.latency_ms', operator: '>', value: 500 }],
  ['status = failed', { path: 'summary.weave.status', operator: '=', value: 'error' }],
  ['model = "gpt-4.1"', { path: String.raw`summary.usage.gpt-4\.1`, operator: '!=', value: '' }],
  ['model != a', { path: 'summary.usage.a', operator: '=', value: '' }],
  ['inputs.city = "Oslo"', { path: 'inputs.city', operator: '=', value: 'Oslo' }],
] as const)('%s is a condition on a path', (text, condition) => expect(parseCallsFilter(text)).toEqual({ condition }))

test('words are read wherever a condition is', () =>
  expect(parseCallsFilter('not (name = "a" or user = "b")')).toEqual({
    not: {
      or: [{ condition: { path: 'op_name', operator: '=', value: 'a' } }, { condition: { path: 'wb_user_id', operator: '=', value: 'b' } }],
    },
  }))

test.each(['latency > 500', 'model = "gpt-4.1"', 'model != "a"', 'thread = "t"'])('%s is shown as it was written', (text) => {
  const filter = parseCallsFilter(text)
  expect('condition' in filter && inWords(filter.condition)).toEqual(
    expect.objectContaining({ path: text.split(' ')[0], operator: text.split(' ')[1] }),
  )
})
