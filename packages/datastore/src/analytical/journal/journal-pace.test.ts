import { createVirtualClock } from '@heddle/testing'
import { expect, test } from 'vitest'
import { createJournalPace } from './journal-pace.ts'
import { createRecentBytes } from './recent-bytes.ts'

function aPace() {
  const clock = createVirtualClock()
  const journal = { bytes: 0 }
  const pace = createJournalPace({
    usedBytes: () => journal.bytes,
    easyBytes: 100,
    maxBytes: 200,
    longestMs: 80,
    maxPausingBytes: 25,
    recent: createRecentBytes(clock),
    timing: clock,
  })
  const passed: string[] = []
  const pause = (name: string, bytes: number, tenant = 'one') => void pace.pause(tenant, bytes).then(() => passed.push(name))
  return { clock, journal, pace, passed, pause }
}

test('writers pause for longer the fuller the journal is', async () => {
  const { clock, journal, passed, pause } = aPace()
  journal.bytes = 100
  pause('easy', 10)
  await clock.advance(0)
  journal.bytes = 150
  pause('half full', 10)
  await clock.advance(39)
  expect(passed).toEqual(['easy'])
  await clock.advance(1)
  expect(passed).toEqual(['easy', 'half full'])
  journal.bytes = 1_000
  pause('beyond full', 10)
  await clock.advance(79)
  expect(passed).toEqual(['easy', 'half full'])
  await clock.advance(1)
  expect(passed.at(-1)).toBe('beyond full')
})

test('beside a tenant that writes much, one that writes little hardly pauses, and one that writes as much does so as long', async () => {
  const { clock, journal, passed, pause } = aPace()
  for (let turn = 0; turn < 10; turn++) pause('before', 10, turn % 2 === 0 ? 'greedy' : 'equal')
  await clock.advance(0)
  passed.length = 0
  journal.bytes = 200
  pause('greedy', 2, 'greedy')
  pause('equal', 2, 'equal')
  pause('modest', 2, 'modest')
  await clock.advance(4)
  expect(passed).toEqual(['modest'])
  await clock.advance(75)
  expect(passed).toEqual(['modest'])
  await clock.advance(1)
  expect(passed.toSorted()).toEqual(['equal', 'greedy', 'modest'])
})

test('what a tenant wrote some time ago counts no more', async () => {
  const { clock, journal, passed, pause } = aPace()
  pause('before', 20, 'was greedy')
  await clock.advance(60_000)
  pause('before', 20, 'is greedy')
  await clock.advance(0)
  passed.length = 0
  journal.bytes = 200
  pause('was greedy', 1, 'was greedy')
  await clock.advance(4)
  expect(passed).toEqual(['was greedy'])
})

test('pauses end when the journal has become shorter, and only then', async () => {
  const { clock, journal, pace, passed, pause } = aPace()
  journal.bytes = 200
  pause('a', 10)
  pause('b', 10)
  await clock.advance(1)
  expect(pace.pausingBytes).toBe(20)
  journal.bytes = 101
  pace.release()
  await clock.advance(0)
  expect(passed).toEqual([])
  journal.bytes = 100
  pace.release()
  await clock.advance(0)
  expect(passed).toEqual(['a', 'b'])
  expect(pace.pausingBytes).toBe(0)
})

test('no more bytes pause than may', async () => {
  const { clock, journal, pace, passed, pause } = aPace()
  journal.bytes = 200
  pause('first', 20)
  pause('second', 6)
  await clock.advance(0)
  expect(passed).toEqual(['second'])
  expect(pace.pausingBytes).toBe(20)
})
