import { expect, test } from 'vitest'
import { createFailedLogins } from './failed-logins.ts'

function aClock() {
  let now = 0
  const pauses: number[] = []
  let release: (() => void)[] = []
  return {
    pauses,
    nowMs: () => now,
    pass: (ms: number) => (now += ms),
    pause: (ms: number) => {
      pauses.push(ms)
      return new Promise<void>((resolve) => release.push(resolve))
    },
    wake: () => {
      for (const one of release) one()
      release = []
    },
  }
}

test('the first failures of an address are answered at once, further ones wait', async () => {
  const clock = aClock()
  const failed = createFailedLogins({ ...clock, burst: 3 })
  for (let count = 0; count < 3; count++) await failed.afterFailure('a')
  expect(clock.pauses).toEqual([])
  const slowed = failed.afterFailure('a')
  expect(clock.pauses).toEqual([1_000])
  clock.wake()
  await slowed
})

test('another address is not slowed', async () => {
  const clock = aClock()
  const failed = createFailedLogins({ ...clock, burst: 1 })
  await failed.afterFailure('a')
  await failed.afterFailure('b')
  expect(clock.pauses).toEqual([])
})

test('time brings an address back', async () => {
  const clock = aClock()
  const failed = createFailedLogins({ ...clock, burst: 1, refillMs: 3_000 })
  await failed.afterFailure('a')
  clock.pass(3_000)
  await failed.afterFailure('a')
  expect(clock.pauses).toEqual([])
})

test('more waiting answers than there is room for are refused with 429', async () => {
  const clock = aClock()
  const failed = createFailedLogins({ ...clock, burst: 0, maxWaiting: 1 })
  const waiting = failed.afterFailure('a')
  await expect(failed.afterFailure('a')).rejects.toMatchObject({ status: 429, retryAfterSeconds: 10 })
  clock.wake()
  await waiting
})
