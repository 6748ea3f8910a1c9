import { trials } from '@heddle/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createRequestRates, maxBuckets, type Rate } from './request-rates.ts'

const minuteMs = 60_000
const ofProject = (perMinute: number, projectId = 'e/p'): Rate => ({ name: 'requests_per_minute', perMinute, projectId, keyId: 'k' })

/** Times of the accepted requests of these, which are sent one after the other with these pauses in milliseconds. */
function acceptedTimes(perMinute: number, pauses: readonly number[]): number[] {
  let now = 0
  const rates = createRequestRates(() => now)
  const accepted: number[] = []
  for (const pause of pauses) {
    now += pause
    if (rates.take([ofProject(perMinute)]) === undefined) accepted.push(now)
  }
  return accepted
}

/** The most that any 60 s had. */
function mostInAMinute(times: readonly number[]): number {
  let [first, most] = [0, 0]
  times.forEach((time, index) => {
    while (time - (times[first] ?? 0) >= minuteMs) first++
    most = Math.max(most, index - first + 1)
  })
  return most
}

/** Bursts, trickles and pauses. */
const pattern = fc
  .array(
    fc.oneof(
      fc.record({ requests: fc.integer({ min: 1, max: 300 }), everyMs: fc.constant(0) }),
      fc.record({ requests: fc.integer({ min: 1, max: 300 }), everyMs: fc.integer({ min: 1, max: 500 }) }),
      fc.record({ requests: fc.constant(1), everyMs: fc.integer({ min: 1_000, max: 200_000 }) }),
    ),
    { minLength: 1, maxLength: 20 },
  )
  .map((parts) => parts.flatMap(({ requests, everyMs }) => Array.from({ length: requests }, () => everyMs)))

const limit = fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 6_000 }))

describe('a limit of requests', () => {
  test('holds to 5 % over any 60 s, whatever the pattern of requests; below 20 it holds exactly', () => {
    fc.assert(
      fc.property(limit, pattern, (perMinute, pauses) => {
        const most = mostInAMinute(acceptedTimes(perMinute, pauses))
        expect(most).toBeLessThanOrEqual(Math.floor(perMinute * 1.05))
      }),
      { numRuns: trials({ usual: 200, long: 5_000 }) },
    )
  })

  test('is reached to 5 % in any 60 s by a client that always has more to send', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 1_200 }), fc.integer({ min: 1, max: 20 }), (perMinute, everyMs) => {
        const times = acceptedTimes(
          perMinute,
          Array.from({ length: Math.ceil((3 * minuteMs) / everyMs) }, () => everyMs),
        )
        for (let from = 0; from <= 2 * minuteMs; from += 7_000) {
          const within = times.filter((time) => time >= from && time < from + minuteMs).length
          expect(within).toBeGreaterThanOrEqual(Math.floor(perMinute * 0.95))
        }
      }),
      { numRuns: trials({ usual: 10, long: 100 }) },
    )
  })

  test('counts what the last minute had, and says when one more may follow', () => {
    let now = 0
    const rates = createRequestRates(() => now)
    const rate = ofProject(60)
    for (let request = 0; request < 4; request++) expect(rates.take([rate])).toBeUndefined()
    expect(rates.take([rate])).toBe(rate)
    expect(rates.stateOf(rate)).toEqual({ left: 0, used: 4, msUntilNext: 1_000 })
    now = 999
    expect(rates.take([rate])).toBe(rate)
    now = 1_000
    expect(rates.take([rate])).toBeUndefined()
    now = 66_000
    expect(rates.stateOf(rate)).toMatchObject({ left: 4, used: 0 })
  })

  test('of a key bounds that key alone: one that sends without end leaves the others theirs', () => {
    let now = 0
    const rates = createRequestRates(() => now)
    const send = (keyId: string) =>
      rates.take([
        { name: 'requests_per_minute', perMinute: 240, projectId: 'e/p', keyId },
        { name: 'requests_per_minute_per_key', perMinute: 120, projectId: 'e/p', keyId },
      ]) === undefined
    const accepted = { greedy: 0, modest: 0 }
    for (; now < 2 * minuteMs; now += 10) {
      for (let many = 0; many < 20; many++) if (send('greedy')) accepted.greedy++
      if (now % 500 === 0 && send('modest')) accepted.modest++
    }
    expect(accepted.modest).toBe(240)
    expect(accepted.greedy).toBeLessThanOrEqual(252)
    expect(accepted.greedy).toBeGreaterThanOrEqual(228)
  })

  test('that refuses takes nothing of the other limits of the request', () => {
    const rates = createRequestRates(() => 0)
    const [project, key]: [Rate, Rate] = [ofProject(600), { ...ofProject(1), name: 'requests_per_minute_per_key' }]
    expect(rates.take([project, key])).toBeUndefined()
    const { left } = rates.stateOf(project)
    for (let request = 0; request < 10; request++) expect(rates.take([project, key])).toBe(key)
    expect(rates.stateOf(project).left).toBe(left)
  })

  test('of very many projects takes no more memory than that of the bound', () => {
    const rates = createRequestRates(() => 0)
    const counted = ofProject(1, 'e/first')
    expect(rates.take([counted])).toBeUndefined()
    expect(rates.take([counted])).toBe(counted)
    for (let project = 0; project < maxBuckets; project++) rates.take([ofProject(1, `e/${project}`)])
    // The bucket that was idle for longest made way, and is new.
    expect(rates.take([counted])).toBeUndefined()
  })
})
