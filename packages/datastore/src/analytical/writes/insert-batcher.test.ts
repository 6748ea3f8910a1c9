import fc from 'fast-check'
import { expect, test } from 'vitest'
import { systemTiming } from '../../timing.ts'
import type { RowBlock } from '../analytical.ts'
import { StoreError, type StoreErrorKind } from '../../work/store-error.ts'
import { createInsertBatcher, type InsertBatcherOptions } from './insert-batcher.ts'
import type { NamedRows } from '../rows/named-rows.ts'

function aBlock(text: string, rows = 1): NamedRows {
  return { bytes: Buffer.from(text), rows, columns: ['text'] }
}

/** A store that records each insert, and completes it when the test wants. */
function fakeStore(answer: (texts: string[]) => void = () => {}) {
  const inserts: string[][] = []
  const gates: (() => void)[] = []
  return {
    inserts,
    open: () => gates.shift()?.(),
    write: async (blocks: readonly RowBlock[]) => {
      const texts = blocks.map((block) => Buffer.from(block.bytes).toString())
      inserts.push(texts)
      answer(texts)
    },
    writeSlowly: async (blocks: readonly RowBlock[]) => {
      inserts.push(blocks.map((block) => Buffer.from(block.bytes).toString()))
      await new Promise<void>((resolve) => gates.push(resolve))
    },
  }
}

function batcher(write: InsertBatcherOptions['write'], options: Partial<InsertBatcherOptions> = {}) {
  return createInsertBatcher({ write, timing: { ...systemTiming, now: () => 0, random: () => 0 }, ...options })
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))

test('blocks that wait while an insert runs are coalesced into the next one, in order', async () => {
  const store = fakeStore()
  const commits = batcher(store.writeSlowly)
  const all = ['a'].map((text) => commits.add(aBlock(text)))
  await nextTick()
  all.push(...['b', 'c', 'd'].map((text) => commits.add(aBlock(text))))
  store.open()
  await nextTick()
  store.open()
  await Promise.all(all)
  expect(store.inserts).toEqual([['a'], ['b', 'c', 'd']])
})

test('an insert stays within its limits of rows and bytes, and a larger block is inserted alone', async () => {
  const store = fakeStore()
  const commits = batcher(store.write, { maxRows: 3, maxBytes: 10 })
  await Promise.all(
    [aBlock('a', 2), aBlock('b', 1), aBlock('c', 1), aBlock('123456'), aBlock('12345'), aBlock('x', 99)].map((block) => commits.add(block)),
  )
  expect(store.inserts).toEqual([['a', 'b'], ['c', '123456'], ['12345'], ['x']])
})

test('a block without rows is not an insert', async () => {
  const store = fakeStore()
  await batcher(store.write).add(aBlock('', 0))
  expect(store.inserts).toEqual([])
})

test('too many waiting bytes are refused as busy, and accepted again once the store has caught up', async () => {
  const store = fakeStore()
  const commits = batcher(store.writeSlowly, { maxWaitingBytes: 4 })
  const first = commits.add(aBlock('aaa'))
  await expect(commits.add(aBlock('bb'))).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 1 })
  await nextTick()
  store.open()
  await first
  await nextTick()
  const second = commits.add(aBlock('bb'))
  await nextTick()
  store.open()
  await second
  expect(store.inserts).toEqual([['aaa'], ['bb']])
})

test('a block of any size is accepted when nothing waits', async () => {
  const store = fakeStore()
  await batcher(store.write, { maxWaitingBytes: 1 }).add(aBlock('large'))
  expect(store.inserts).toEqual([['large']])
})

test('a block that has waited too long makes the store busy', async () => {
  let now = 0
  const store = fakeStore()
  const commits = batcher(store.writeSlowly, { timing: { ...systemTiming, now: () => now }, maxWaitingMs: 100 })
  const first = commits.add(aBlock('a'))
  await nextTick()
  const second = commits.add(aBlock('b'))
  now = 101
  expect(commits.oldestWaitingMs).toBe(101)
  await expect(commits.add(aBlock('c'))).rejects.toMatchObject({ kind: 'busy' })
  store.open()
  await nextTick()
  store.open()
  await Promise.all([first, second])
  expect(commits).toMatchObject({ waitingBytes: 0, oldestWaitingMs: 0 })
})

test('of any blocks exactly those that the store refuses are rejected', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 40 }), async (poisoned) => {
      const written: string[] = []
      const store = fakeStore((texts) => {
        if (texts.some((text) => text.startsWith('poison'))) throw new StoreError('data', 'bad row')
        written.push(...texts)
      })
      const commits = batcher(store.write)
      const outcomes = await Promise.allSettled(
        poisoned.map((isPoison, index) => commits.add(aBlock(`${isPoison ? 'poison' : 'good'}-${index}`))),
      )
      expect(outcomes.map((outcome) => outcome.status === 'rejected')).toEqual(poisoned)
      expect(written).toEqual(poisoned.flatMap((isPoison, index) => (isPoison ? [] : [`good-${index}`])))
      expect(commits.waitingBytes).toBe(0)
    }),
    { numRuns: 50 },
  )
})

test.each<StoreErrorKind>(['memory', 'timeout', 'unavailable', 'busy'])('an insert that fails with %s is tried again', async (kind) => {
  let failures = 1
  const store = fakeStore(() => {
    if (failures-- > 0) throw new StoreError(kind, 'not now')
  })
  await batcher(store.write).add(aBlock('a'))
  expect(store.inserts).toEqual([['a'], ['a']])
})

test('a store that stays unavailable is reported as such after the last attempt', async () => {
  const store = fakeStore(() => {
    throw new StoreError('unavailable', 'gone')
  })
  await expect(batcher(store.write, { maxAttempts: 2 }).add(aBlock('a'))).rejects.toMatchObject({
    kind: 'unavailable',
    message: expect.stringContaining('2 attempts'),
  })
  expect(store.inserts).toHaveLength(2)
})

test.each<StoreErrorKind>(['full', 'failed'])('an insert that fails with %s is not tried again, and the next one is', async (kind) => {
  let failures = 1
  const store = fakeStore(() => {
    if (failures-- > 0) throw new StoreError(kind, 'no')
  })
  const commits = batcher(store.write)
  await expect(commits.add(aBlock('a'))).rejects.toMatchObject({ kind })
  await commits.add(aBlock('b'))
  expect(store.inserts).toEqual([['a'], ['b']])
})

test('closing settles accepted blocks and refuses later ones', async () => {
  const store = fakeStore()
  const commits = batcher(store.write)
  const accepted = commits.add(aBlock('a'))
  const closing = commits.close()
  await expect(commits.add(aBlock('b'))).rejects.toMatchObject({ kind: 'unavailable' })
  await closing
  await accepted
  expect(store.inserts).toEqual([['a']])
})
