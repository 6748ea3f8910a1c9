import { expect, test } from 'vitest'
import { durationSlots, slotOf } from './duration-slots.ts'
import { createRequestStats, type EndedRequest } from './request-stats.ts'

const aRequest = (over: Partial<EndedRequest> = {}): EndedRequest => ({
  operation: 'tracing.calls.query',
  status: 200,
  ms: 5,
  waited: 0,
  ...over,
})

test('requests are counted by status, and those whose response was cut short', () => {
  const stats = createRequestStats()
  for (const status of [200, 200, 429, 503]) stats.note(aRequest({ status }))
  stats.note(aRequest({ cut: 'StoreError', operation: null, status: 404 }))
  expect(stats.read()).toMatchObject({ byStatus: { 200: 2, 404: 1, 429: 1, 503: 1 }, cut: 1, slow: [] })
})

test('durations are counted of requests with an operation', () => {
  const stats = createRequestStats()
  for (const ms of [0.5, 3, 3, 900]) stats.note(aRequest({ ms }))
  stats.note(aRequest({ operation: null, ms: 5 }))
  const { durations } = stats.read()
  expect(durations).toHaveLength(durationSlots)
  expect(durations.flatMap((count, slot) => (count > 0 ? [[slot, count]] : []))).toEqual([
    [slotOf(0.5), 1],
    [slotOf(3), 2],
    [slotOf(900), 1],
  ])
})

test('the twenty slowest of the last hour are kept, the slowest first', () => {
  let now = 1_000_000
  const stats = createRequestStats({ nowMs: () => now })
  stats.note(aRequest({ ms: 90_000, operation: 'tracing.calls.stats', waited: 40 }))
  now += 3_500_000
  for (let ms = 900; ms < 950 * 40; ms += 950) stats.note(aRequest({ ms }))
  const { slow } = stats.read()
  expect(slow).toHaveLength(20)
  expect(slow[0]).toEqual({ operation: 'tracing.calls.stats', status: 200, ms: 90_000, waited: 40, endedAtMs: 1_000_000 })
  expect(slow.map(({ ms }) => ms)).toEqual(slow.map(({ ms }) => ms).toSorted((a, b) => b - a))
  now += 200_000
  expect(stats.read().slow.map(({ operation }) => operation)).not.toContain('tracing.calls.stats')
  now += 3_600_000
  expect(stats.read().slow).toEqual([])
})

test('a request that took less than a second is not slow, nor one without an operation', () => {
  const stats = createRequestStats()
  stats.note(aRequest({ ms: 999.9 }))
  stats.note(aRequest({ ms: 5_000, operation: null }))
  expect(stats.read().slow).toEqual([])
})
