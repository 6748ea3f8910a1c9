import { expect, test } from 'vitest'
import { drawnSearch, seeksEarlier } from './drawn-search.ts'

test('the histogram draws calls of any time that meet all other conditions, hold the text and are of the traces', () => {
  const model = { path: 'attributes.model', operator: '=' as const, value: 'small' }
  const where = [{ path: 'started_at', operator: '>=' as const, value: '2026-01-01T00:00:00Z' }, model]
  const others = { filter: 'latency > 1', level: 'all' as const, text: 'refund', traces: { calls: 3 }, traceIds: ['t1'] }
  expect(drawnSearch({ where, ...others })).toEqual({ where: [model], ...others })
})

test.each([
  [{}, true],
  [{ text: 'refund' }, false],
  [{ traces: { calls: 3 } }, false],
  [{ traces: { calls: 3 }, traceIds: ['t1'] }, true],
])('of calls selected by %j, earlier ones are counted: %j', (search, isCounted) => expect(seeksEarlier(search)).toBe(isCounted))
