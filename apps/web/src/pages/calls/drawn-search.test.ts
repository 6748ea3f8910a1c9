import { expect, test } from 'vitest'
import { drawnSearch, leftOutOf } from './drawn-search.ts'

test('the histogram draws calls of any time that meet all other conditions', () => {
  const model = { path: 'attributes.model', operator: '=' as const, value: 'small' }
  const where = [{ path: 'started_at', operator: '>=' as const, value: '2026-01-01T00:00:00Z' }, model]
  expect(drawnSearch({ where, filter: 'latency > 1', level: 'all' })).toMatchObject({ where: [model], filter: 'latency > 1', level: 'all' })
})

test('it looks neither for a text nor for totals, and says so', () => {
  expect(drawnSearch({ text: 'refund', traces: { calls: 3 } })).toMatchObject({ text: undefined, traces: undefined })
  expect(leftOutOf({})).toBe('')
  expect(leftOutOf({ text: 'refund' })).toBe(', whatever their text')
  expect(leftOutOf({ text: 'refund', traces: { calls: 3 } })).toBe(', whatever their text and totals')
})
