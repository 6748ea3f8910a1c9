import { expect, test } from 'vitest'
import { createKeyedRate } from './keyed-rate.ts'

test('a key has its burst, then what its rate allows, whatever others do', () => {
  let now = 0
  const rate = createKeyedRate({ perMinute: 60, nowMs: () => now })
  // A burst of 4: one, and 5 % of a minute.
  const taken = (key: string) => Array.from({ length: 5 }, () => rate.take(key))
  expect(taken('a')).toEqual([undefined, undefined, undefined, undefined, 1])
  expect(taken('b')).toEqual([undefined, undefined, undefined, undefined, 1])
  now += 1_000
  expect([rate.take('a'), rate.take('a')]).toEqual([undefined, 1])
  now += 3_600_000
  expect(taken('a')).toEqual([undefined, undefined, undefined, undefined, 1])
})
