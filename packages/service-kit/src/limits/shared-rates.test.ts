import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { limitsInMemory } from '../testing/limits-in-memory.ts'
import { createRequestRates, type Rate } from './request-rates.ts'
import { createSharedRates } from './shared-rates.ts'
import { burstOf } from './token-bucket.ts'

const minuteMs = 60_000
const rateOf = (perMinute: number): Rate => ({ name: 'requests_per_minute', perMinute, projectId: 'e/p', keyId: 'k' })

/** Servers over one store, with one clock. */
function someServers(count: number, store = limitsInMemory()) {
  const time = { now: 0 }
  const errors: unknown[] = []
  const servers = Array.from({ length: count }, () => {
    const rates = createRequestRates(() => time.now)
    const shared = createSharedRates({ store, rates, wallClockMs: () => time.now, onError: (error) => errors.push(error) })
    onTestFinished(() => shared.close())
    return { rates, shared }
  })
  return { time, errors, servers, store }
}

test('servers that are all asked without end admit together what one may, but for their bursts and a second', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 20, max: 3_000 }), async (count, perMinute) => {
      const { time, servers } = someServers(count)
      const admitted: number[] = []
      for (let second = 0; second < 240; second++) {
        for (const { rates } of servers)
          for (let request = 0; request < perMinute / 10 + 2; request++) if (!rates.take([rateOf(perMinute)])) admitted.push(second)
        for (const { shared } of servers) await shared.exchange()
        time.now += 1_000
      }
      const overshoot = count * (burstOf(perMinute) + perMinute / 60 + 1)
      for (let from = 0; from <= 180; from += 20) {
        const within = admitted.filter((second) => second >= from && second < from + 60).length
        expect(within).toBeLessThanOrEqual(perMinute + overshoot)
      }
      // The debts are paid, and every key has tokens again.
      expect(admitted.length).toBeLessThanOrEqual(4 * perMinute + overshoot)
      expect(admitted.length).toBeGreaterThanOrEqual(4 * perMinute * 0.85 - overshoot)
    }),
    { numRuns: trials({ usual: 15, long: 200 }) },
  )
})

test('a server that was idle owes nothing for what others did in time that has passed', async () => {
  const { time, servers } = someServers(2)
  const [busy, idle] = servers as [(typeof servers)[0], (typeof servers)[0]]
  idle.rates.take([rateOf(60)])
  await idle.shared.exchange()
  for (let second = 0; second < 600; second++) {
    busy.rates.take([rateOf(60)])
    await busy.shared.exchange()
    time.now += 1_000
  }
  time.now += 5_000
  expect(idle.rates.take([rateOf(60)])).toBeUndefined()
  await idle.shared.exchange()
  expect(idle.rates.stateOf(rateOf(60)).left).toBeGreaterThanOrEqual(2)
})

test('an overdrawn rate says when its next request may follow', async () => {
  const { time, servers } = someServers(3)
  for (const { rates } of servers) while (rates.take([rateOf(60)]) === undefined);
  for (const { shared } of servers) await shared.exchange()
  for (const { rates } of servers) rates.putBack([{ rate: 'requests_per_minute', subject: 'e/p', requests: 4 }])
  for (const { shared } of [...servers, ...servers]) await shared.exchange()
  const state = servers[0]?.rates.stateOf(rateOf(60))
  expect(state?.left).toBe(0)
  expect(state?.msUntilNext).toBeGreaterThan(1_000)
  time.now += state?.msUntilNext ?? 0
  expect(servers[0]?.rates.take([rateOf(60)])).toBeUndefined()
})

test('without the store each server counts by itself, and tells afterwards', async () => {
  const { errors, servers, store } = someServers(2)
  const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]]
  for (const { rates, shared } of servers) {
    rates.take([rateOf(minuteMs)])
    await shared.exchange()
  }
  store.isFull = true
  first.rates.take([rateOf(minuteMs)])
  await first.shared.exchange()
  expect(errors).toHaveLength(1)
  store.isFull = false
  await first.shared.exchange()
  second.rates.take([rateOf(minuteMs)])
  await second.shared.exchange()
  // Two of the first and two of its own.
  expect(second.rates.stateOf(rateOf(minuteMs)).used).toBeGreaterThanOrEqual(3)
})
