import { createVirtualClock } from '@heddle/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { StoreError } from '../../work/store-error.ts'
import { createJournalCapacity, type JournalCapacityOptions } from './journal-capacity.ts'

function aCapacity(options: Partial<JournalCapacityOptions> = {}) {
  const clock = createVirtualClock()
  const journal = { bytes: 0 }
  const recent = new Map<string, number>()
  const limits = { maxBytes: 10, maxWaitingBytes: 20, maxWaitingMs: 100 }
  const capacity = createJournalCapacity({
    usedBytes: () => journal.bytes,
    ...limits,
    recentBytesOf: (tenant) => recent.get(tenant) ?? 0,
    findRefusal: () => undefined,
    timing: clock,
    ...options,
  })
  const admitted: string[] = []
  const acquire = (name: string, bytes: number, tenant = 'a') =>
    capacity.acquire(tenant, bytes).then(
      () => admitted.push(name),
      ({ message }: Error) => admitted.push(`${name}: ${message}`),
    )
  return { clock, journal, recent, capacity, admitted, acquire }
}

test('a writer waits behind what its tenant has queued, and before what a tenant has that wrote more lately', async () => {
  const { clock, capacity, admitted, acquire } = aCapacity()
  for (const [name, bytes] of [['a', 8] as const, ['b', 5] as const, ['c', 1] as const]) void acquire(name, bytes)
  await clock.advance(1)
  expect(admitted).toEqual(['a'])
  expect(capacity.waitingBytes).toBe(6)
  capacity.release(8)
  await clock.advance(1)
  expect(admitted).toEqual(['a', 'b', 'c'])
  expect(capacity.waitingBytes).toBe(0)
  const other = aCapacity()
  other.recent.set('greedy', 1_000).set('calm', 3)
  other.journal.bytes = 8
  for (const [name, bytes] of [['g1', 5] as const, ['g2', 1] as const]) void other.acquire(name, bytes, 'greedy')
  void other.acquire('c1', 2, 'calm')
  void other.acquire('c2', 1, 'calm')
  await other.clock.advance(1)
  expect(other.admitted).toEqual(['c1'])
  other.journal.bytes = 0
  other.capacity.release(2)
  await other.clock.advance(1)
  expect(other.admitted).toEqual(['c1', 'c2', 'g1', 'g2'])
})

test('a block larger than the journal is let in alone', async () => {
  const { clock, capacity, admitted, acquire } = aCapacity()
  void acquire('small', 1)
  void acquire('huge', 15)
  await clock.advance(1)
  expect(admitted).toEqual(['small'])
  capacity.release(1)
  await clock.advance(1)
  expect(admitted).toEqual(['small', 'huge'])
})

test('a writer that waits too long, or arrives when too many wait, is asked to retry', async () => {
  const { clock, journal, admitted, acquire } = aCapacity()
  journal.bytes = 10
  void acquire('first', 15)
  void acquire('second', 6)
  await clock.advance(100)
  expect(admitted).toEqual([
    'second: 15 bytes are queued for the store, the oldest for 0 ms',
    'first: the journal had no capacity within 100 ms',
  ])
})

test('nobody is queued while there is a reason to refuse, but there is room for who needs none to wait', async () => {
  const { clock, journal, admitted, acquire } = aCapacity({ findRefusal: () => new StoreError('full', 'the disk is full') })
  void acquire('a', 5)
  await clock.advance(1)
  journal.bytes = 10
  void acquire('b', 5)
  await clock.advance(1)
  expect(admitted).toEqual(['a', 'b: the disk is full'])
})

test('whatever comes and goes, the journal stays in its bounds, every writer is answered once, and the admitted ones in their order', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('acquire' as const), bytes: fc.integer({ min: 1, max: 14 }) }),
    fc.record({ do: fc.constant('append' as const) }),
    fc.record({ do: fc.constant('write' as const) }),
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 60 }) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { clock, journal, capacity } = aCapacity()
      const held: number[] = []
      const admitted: number[] = []
      let answered = 0
      let asked = 0
      const acquire = async (bytes: number, number: number) => {
        const isIn = await capacity.acquire('a', bytes).then(
          () => true,
          () => false,
        )
        answered++
        if (isIn) admitted.push(number)
        if (isIn) held.push(bytes)
      }
      for (const step of steps) {
        if (step.do === 'acquire') void acquire(step.bytes, asked++)
        else if (step.do === 'wait') await clock.advance(step.ms)
        else if (step.do === 'append' && held[0] !== undefined) {
          const bytes = held.shift() ?? 0
          journal.bytes += bytes
          capacity.release(bytes)
        } else if (step.do === 'write') {
          journal.bytes = 0
          capacity.admit()
        }
        await clock.advance(0)
        const used = journal.bytes + held.reduce((sum, bytes) => sum + bytes, 0)
        expect(used <= 10 || held.length + Math.sign(journal.bytes) === 1).toBe(true)
        expect(capacity.waitingBytes).toBeLessThanOrEqual(20)
      }
      await clock.advance(200)
      expect(answered).toBe(asked)
      expect(admitted).toEqual(admitted.toSorted((a, b) => a - b))
    }),
  )
})
