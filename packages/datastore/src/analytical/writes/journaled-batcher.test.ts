import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { systemTiming } from '../../timing.ts'
import { invariantFailures } from '../../invariant.ts'
import { StoreError } from '../../work/store-error.ts'
import type { NamedRows } from '../rows/named-rows.ts'
import type { JournalPart } from '../journal/journal-part.ts'
import { openJournal } from '../journal/journal.ts'
import { createJournaledBatcher, type JournaledBatcherOptions } from './journaled-batcher.ts'

const aBlock = (text: string): NamedRows => ({ bytes: Buffer.from(text), rows: 1, columns: ['text'] })

/** Without the pauses between attempts, and without lingering. */
const withoutPauses = { ...systemTiming, random: () => 0, after: (_: number, then: () => void) => systemTiming.after(0, then) }

/** A table that keeps what each insert held; `answer` may refuse it. */
async function aTable(options: Partial<JournaledBatcherOptions> = {}, answer: (text: string) => unknown = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-batcher-'))
  // Files of inserted rows may still be about to be removed.
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }))
  const inserts: string[] = []
  const refusals: string[] = []
  const open = async () =>
    createJournaledBatcher({
      journal: await openJournal(folder),
      async write(part: JournalPart) {
        const text = readFileSync(part.rowsPath, 'utf8')
        await answer(text)
        inserts.push(text)
      },
      onRefused: ({ path, error }) => refusals.push(`${readFileSync(path, 'utf8')}: ${error.message}`),
      assertDiskSpace: async () => undefined,
      timing: { ...systemTiming, random: () => 0 },
      // Rows wait for a reader in these tests, not for time.
      lingerMs: 1e8,
      ...options,
    })
  return { inserts, refusals, open, batcher: await open() }
}

test('rows are acknowledged before they are in the table, and in it once a reader has waited', async () => {
  const { batcher, inserts } = await aTable()
  await Promise.all(['a', 'b', 'c'].map((text) => batcher.add(aBlock(text))))
  expect(inserts).toEqual([])
  await batcher.flush()
  expect(inserts).toEqual(['abc'])
  await batcher.flush()
  expect(inserts).toEqual(['abc'])
})

test('a read of a project waits for rows that may be of it, not for those of others', async () => {
  const { batcher, inserts, open } = await aTable()
  await batcher.add({ ...aBlock('a'), projects: ['acme/a'] })
  await batcher.flush({ projects: ['acme/b'] })
  expect(inserts).toEqual([])
  await batcher.flush({ projects: ['acme/b', 'acme/a'] })
  expect(inserts).toEqual(['a'])
  await batcher.add({ ...aBlock('b'), projects: ['acme/b'] })
  await batcher.add({ ...aBlock('c'), projects: ['acme/c'] })
  await batcher.flush({ projects: ['acme/a'] })
  expect(inserts).toEqual(['a'])
  await batcher.flush({ projects: ['acme/b'] })
  expect(inserts.join('')).toContain('ab')
  await batcher.add(aBlock('of any'))
  await batcher.flush({ projects: ['acme/d'] })
  expect(inserts.join('')).toBe('abcof any')
  await batcher.close()
  expect((await open()).waitingBytes).toBe(0)
})

test('a read of a project does not wait while the table takes no rows of another one', async () => {
  const { batcher } = await aTable({ timing: withoutPauses }, () => {
    throw new StoreError('failed', 'broken')
  })
  await batcher.add({ ...aBlock('a'), projects: ['acme/greedy'] })
  await expect(batcher.flush({ projects: ['acme/greedy'] })).rejects.toMatchObject({ kind: 'failed' })
  await batcher.flush({ projects: ['acme/calm'] })
  await batcher.close()
})

test('reads of all projects wait for rows that an earlier process left', async () => {
  const { batcher, inserts, open } = await aTable({ timing: withoutPauses }, (text) => {
    if (text === 'left') throw new StoreError('unavailable', 'away')
  })
  await batcher.add({ ...aBlock('left'), projects: ['acme/a'] })
  await batcher.close()
  expect(inserts).toEqual([])
  const next = await open()
  await expect(next.flush({ projects: ['acme/b'] })).rejects.toMatchObject({ kind: 'unavailable' })
  await next.close()
})

test('rows are inserted after the flush interval, or when there are many', async () => {
  const soon = await aTable({ lingerMs: 1 })
  await soon.batcher.add(aBlock('a'))
  await expect.poll(() => soon.inserts).toEqual(['a'])
  const many = await aTable({ batchBytes: 3 })
  await many.batcher.add(aBlock('a'))
  await many.batcher.add(aBlock('bcd'))
  await expect.poll(() => many.inserts).toEqual(['abcd'])
})

test('an insert that fails for a transient reason is retried, and readers wait for it', async () => {
  let failures = 2
  const { batcher, inserts } = await aTable({}, () => {
    if (failures-- > 0) throw new StoreError('unavailable', 'away')
  })
  await batcher.add(aBlock('a'))
  await batcher.flush()
  expect(inserts).toEqual(['a'])
})

test('reads fail when the table does not take acknowledged rows', async () => {
  const { batcher } = await aTable({ timing: withoutPauses }, () => {
    throw new StoreError('failed', 'broken')
  })
  await batcher.add(aBlock('a'))
  await expect(batcher.flush()).rejects.toMatchObject({ kind: 'failed', message: 'broken' })
  await batcher.close()
})

test('on a full disk reads are answered from the table, and writes beyond the journal are refused as full', async () => {
  let isFull = true
  const { batcher, inserts } = await aTable({ journalBytes: 2 }, () => {
    if (isFull) throw new StoreError('full', 'the disk is full')
  })
  await batcher.add(aBlock('aa'))
  await batcher.flush()
  await expect(batcher.add(aBlock('b'))).rejects.toMatchObject({ kind: 'full' })
  expect(inserts).toEqual([])
  isFull = false
  await expect.poll(() => inserts).toEqual(['aa'])
  await batcher.add(aBlock('b'))
  await batcher.flush()
  expect(inserts).toEqual(['aa', 'b'])
})

test('a journal that returns a written part again is stopped before its rows are written twice, and keeps them', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-batcher-'))
  onTestFinished(() => rm(folder, { recursive: true, maxRetries: 10 }))
  const journal = await openJournal(folder)
  let first: JournalPart | undefined
  const next = async () => (first ??= await journal.next())
  const { batcher, inserts } = await aTable({
    journal: Object.create(journal, { next: { value: next }, remove: { value: async () => undefined } }) as typeof journal,
    timing: withoutPauses,
  })
  const failures = () => invariantFailures()['journal.parts-are-written-once'] ?? 0
  const before = failures()
  await batcher.add(aBlock('a'))
  await batcher.flush()
  await batcher.add(aBlock('b'))
  await expect(batcher.flush()).rejects.toThrow('invariant journal.parts-are-written-once does not hold')
  expect(inserts).toEqual(['a'])
  expect(failures()).toBeGreaterThan(before)
  await batcher.close()
  const reopened = await aTable({ journal: await openJournal(folder) })
  await reopened.batcher.flush()
  expect(reopened.inserts.join('')).toContain('b')
})

test('writers wait for capacity in the journal in order, for a limited time', async () => {
  const gate = { open: () => {} }
  const { batcher, inserts } = await aTable({ journalBytes: 2, maxWaitingBytes: 3, maxWaitingMs: 50 }, () => {
    return new Promise<void>((resolve) => (gate.open = resolve))
  })
  await batcher.add(aBlock('aa'))
  const waiting = batcher.add(aBlock('bb'))
  await expect(batcher.add(aBlock('cc'))).rejects.toMatchObject({ kind: 'busy', retryAfterSeconds: 1 })
  await expect(waiting).rejects.toMatchObject({ kind: 'busy' })
  const reading = batcher.flush()
  await expect.poll(() => (gate.open(), inserts)).toEqual(['aa'])
  await reading
  await batcher.add(aBlock('bb'))
  const last = batcher.flush()
  await expect.poll(() => (gate.open(), inserts)).toEqual(['aa', 'bb'])
  await last
})

test('a block of any size is accepted when the journal is empty', async () => {
  const { batcher, inserts } = await aTable({ journalBytes: 1 })
  await batcher.add(aBlock('larger'))
  await batcher.flush()
  expect(inserts).toEqual(['larger'])
})

test('a block that the table refuses is quarantined and reported; the others arrive', async () => {
  const { batcher, inserts, refusals } = await aTable({}, (text) => {
    if (text.includes('bad')) throw new StoreError('data', 'refused')
  })
  await Promise.all(['a', 'bad', 'c'].map((text) => batcher.add(aBlock(text))))
  await batcher.flush()
  expect(inserts).toEqual(['a', 'c'])
  expect(refusals).toEqual(['bad: refused'])
})

test('closing flushes the rest; the next process finds what cannot be flushed then', async () => {
  let isAway = false
  const { batcher, inserts, open } = await aTable({}, () => {
    if (isAway) throw new StoreError('unavailable', 'away')
  })
  await batcher.add(aBlock('a'))
  await batcher.close()
  expect(inserts).toEqual(['a'])
  await expect(batcher.add(aBlock('late'))).rejects.toMatchObject({ kind: 'unavailable' })

  const second = await open()
  await second.add(aBlock('b'))
  isAway = true
  await second.close()
  isAway = false
  const third = await open()
  await third.flush()
  expect(inserts).toEqual(['a', 'b'])
  await third.close()
})

test('a full disk refuses rows before they are written, except deletes, which free space', async () => {
  const { batcher, inserts } = await aTable({ assertDiskSpace: () => Promise.reject(new StoreError('full', 'the disk is full')) })
  await expect(batcher.add(aBlock('a'))).rejects.toMatchObject({ kind: 'full' })
  expect(batcher.waitingBytes).toBe(0)
  await batcher.add({ ...aBlock('b'), onlyDeletes: true })
  await batcher.flush()
  expect(inserts).toEqual(['b'])
})

/** Notes of which traces and leftover rows were derived; `answer` may fail. */
function aDerivation(answer: () => unknown = () => {}) {
  const derived: string[] = []
  const derivation: NonNullable<JournaledBatcherOptions['derivation']> = {
    tracesOf: ({ bytes }) => [{ project_id: 'acme/p', trace_id: Buffer.from(bytes).toString(), from: 0, until: 0 }],
    async derive({ touched, leftover }) {
      await answer()
      const left = leftover ? ` and ${readFileSync(leftover.rowsPath, 'utf8')}` : ''
      derived.push(touched.map(({ trace_id }) => trace_id).join() + left)
    },
  }
  return { derived, derivation }
}

test('what follows from rows is derived after they are in the table, and readers wait for it', async () => {
  const gate = { open: () => {} }
  const { derived, derivation } = aDerivation(() => new Promise<void>((resolve) => (gate.open = resolve)))
  const { batcher, inserts } = await aTable({ derivation })
  await Promise.all(['a', 'b'].map((text) => batcher.add(aBlock(text))))
  let isRead = false
  const reading = batcher.flush().then(() => (isRead = true))
  await expect.poll(() => inserts).toEqual(['ab'])
  expect([isRead, derived]).toEqual([false, []])
  await expect.poll(() => (gate.open(), derived)).toEqual(['a,b'])
  await reading
  await batcher.add(aBlock('c'))
  const next = batcher.flush()
  await expect.poll(() => (gate.open(), derived)).toEqual(['a,b', 'c'])
  await next
})

test('a read of rows alone does not wait for what is derived from them', async () => {
  const gate = { open: () => {} }
  const { derived, derivation } = aDerivation(() => new Promise<void>((resolve) => (gate.open = resolve)))
  const { batcher, inserts } = await aTable({ derivation })
  await batcher.add(aBlock('a'))
  const whole = batcher.flush()
  await batcher.flush({ derived: false })
  await batcher.flush({ derived: false })
  expect([inserts, derived]).toEqual([['a'], []])
  await expect.poll(() => (gate.open(), derived)).toEqual(['a'])
  await whole
})

test('a read does not wait for rows that an earlier read waits for', async () => {
  const gate = { begun: 0, open: () => {} }
  const { batcher, inserts } = await aTable({}, () => {
    gate.begun++
    return new Promise<void>((resolve) => (gate.open = resolve))
  })
  await batcher.add({ ...aBlock('a'), projects: ['acme/a'] })
  const first = batcher.flush({ projects: ['acme/a'] })
  await expect.poll(() => gate.begun).toBe(1)
  await batcher.add({ ...aBlock('b'), projects: ['acme/b'] })
  const later = batcher.flush({ projects: ['acme/b'] })
  const earlier = batcher.flush({ projects: ['acme/a'] })
  gate.open()
  await Promise.all([first, earlier])
  expect(inserts).toEqual(['a'])
  await expect.poll(() => (gate.open(), inserts)).toEqual(['a', 'b'])
  await later
})

test('where deriving fails for a transient reason, rows are written and derived again', async () => {
  let failures = 2
  const { derived, derivation } = aDerivation(() => {
    if (failures-- > 0) throw new StoreError('unavailable', 'away')
  })
  const { batcher, inserts } = await aTable({ derivation })
  await batcher.add(aBlock('a'))
  await batcher.flush()
  expect([inserts, derived]).toEqual([['a', 'a', 'a'], ['a']])
})

test('what was in the table and not derived when its process ended is derived by the next one', async () => {
  let isAway = true
  const { derived, derivation } = aDerivation(() => {
    if (isAway) return new Promise(() => {})
  })
  const { batcher, inserts, open } = await aTable({ derivation })
  await batcher.add(aBlock('a'))
  void batcher.flush()
  await expect.poll(() => inserts).toEqual(['a'])
  isAway = false
  const next = await open()
  await next.add(aBlock('b'))
  await next.flush()
  expect(derived[0]).toBe(' and a')
  expect(derived.slice(1)).toEqual(['b'])
})
