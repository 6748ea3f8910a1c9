import { unauthenticated } from '@heddle/core-api/internal'
import { expect, test } from 'vitest'
import { createFailedLogins, type FailedLoginOptions } from './failed-logins.ts'

function aDoor(options: Partial<FailedLoginOptions> = {}) {
  let now = 0
  let checks = 0
  const pauses: number[] = []
  let release: (() => void)[] = []
  const pause = (ms: number) => {
    pauses.push(ms)
    return new Promise<void>((resolve) => release.push(resolve))
  }
  const logins = createFailedLogins({ nowMs: () => now, pause, ...options })
  return {
    pauses,
    checks: () => checks,
    pass: (ms: number) => (now += ms),
    wake() {
      for (const one of release) one()
      release = []
    },
    /** What an attempt ends with: `in`, or the status of its refusal. */
    knock: (secret: string | undefined, address = 'a') =>
      logins
        .attempt({ address, secret }, async () => {
          checks++
          if (secret !== 'sound') throw unauthenticated()
          return 'in'
        })
        .catch((error: { status: number }) => error.status),
  }
}

test('the first failures of an address are answered at once, further checks are delayed', async () => {
  const door = aDoor({ burst: 3 })
  for (let count = 0; count < 3; count++) expect(await door.knock(`wrong ${count}`)).toBe(401)
  expect(door.pauses).toEqual([])
  const slowed = door.knock('wrong again')
  expect(door.pauses).toEqual([1_000])
  expect(door.checks()).toBe(3)
  door.wake()
  expect(await slowed).toBe(401)
})

test('failures that come together cost each of them', async () => {
  const door = aDoor({ burst: 2 })
  const knocks = Array.from({ length: 5 }, () => door.knock('wrong'))
  expect(door.pauses).toHaveLength(3)
  door.wake()
  expect(await Promise.all(knocks)).toEqual(Array(5).fill(401))
})

test('another address is not slowed', async () => {
  const door = aDoor({ burst: 1 })
  await door.knock('wrong', 'a')
  await door.knock('wrong', 'b')
  expect(door.pauses).toEqual([])
})

test('time brings an address back', async () => {
  const door = aDoor({ burst: 1, refillMs: 3_000 })
  await door.knock('wrong')
  door.pass(3_000)
  await door.knock('wrong')
  expect(door.pauses).toEqual([])
})

test('a key that was valid recently is never delayed, even beside guesses from its address', async () => {
  const door = aDoor({ burst: 1, maxWaitingOfOne: 0 })
  expect(await door.knock('sound')).toBe('in')
  await door.knock('wrong')
  expect(await door.knock('wrong')).toBe(429)
  expect(await door.knock('sound')).toBe('in')
  expect(door.pauses).toEqual([])
})

test('a sound key that comes for the first time, from the address of a guesser, waits and gets in', async () => {
  const door = aDoor({ burst: 0 })
  const first = door.knock('sound')
  door.wake()
  expect(await first).toBe('in')
  expect(await door.knock('sound')).toBe('in')
  expect(door.pauses).toHaveLength(1)
})

test('beyond the bound attempts get 429 without a check, so that the response reveals nothing about the key', async () => {
  const door = aDoor({ burst: 0, maxWaitingOfOne: 2 })
  const waiting = [door.knock('wrong'), door.knock('sound')]
  expect(await door.knock('sound')).toBe(429)
  expect(await door.knock('wrong')).toBe(429)
  expect(door.checks()).toBe(0)
  door.wake()
  expect(await Promise.all(waiting)).toEqual([401, 'in'])
})

test('attempts from many addresses have a bound together', async () => {
  const door = aDoor({ burst: 0, maxWaiting: 3 })
  const waiting = ['a', 'b', 'c'].map((address) => door.knock('wrong', address))
  expect(await door.knock('wrong', 'd')).toBe(429)
  door.wake()
  expect(await Promise.all(waiting)).toEqual([401, 401, 401])
})

test('a request without a key is refused at once', async () => {
  const door = aDoor({ burst: 0, maxWaiting: 0 })
  expect(await door.knock(undefined)).toBe(401)
})

test('a failure that is not of the key counts for nothing', async () => {
  const logins = createFailedLogins({ nowMs: () => 0, pause: () => Promise.reject(new Error('waited')), burst: 1 })
  const fail = () => logins.attempt({ address: 'a', secret: 's' }, () => Promise.reject(new Error('the store is away')))
  for (let count = 0; count < 3; count++) await expect(fail()).rejects.toThrow('the store is away')
})
