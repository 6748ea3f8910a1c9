import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { type Fault, type FaultyFiles, failEach, faults } from '../../testing/faulty-files.ts'
import { StoreError } from '../../work/store-error.ts'
import { type Journal, openJournal } from './journal.ts'

const { files } = await vi.hoisted(async () => {
  const { createFaultyFiles } = await import('../../testing/faulty-files.ts')
  return { files: createFaultyFiles() as FaultyFiles }
})
vi.mock('node:fs/promises', async (original) => files.wrap(await original()))

/** What a table and its users know of a journal. */
interface Known {
  folder: string
  acknowledged: Set<string>
  /** Blocks that the table was given, or that lie aside. */
  delivered: Set<string>
}

const columns = ['a']
/** Each block ends with a stop, so that a cut one is seen. */
const blocksIn = (path: string) =>
  readFileSync(path, 'utf8')
    .match(/[^.]*\.?/g)
    ?.filter((text) => text !== '') ?? []

/** An attempt that may fail, as whatever the store says. */
async function attempt(work: () => Promise<unknown>): Promise<void> {
  await work().catch((error: unknown) => expect(error).toBeInstanceOf(Error))
}

async function append(journal: Journal, known: Known, ...texts: string[]): Promise<void> {
  await Promise.all(
    texts.map(async (text) => {
      try {
        await journal.append({ bytes: Buffer.from(text), rows: 1, columns })
        known.acknowledged.add(text)
        expect(files.unsynced, 'a power cut takes nothing acknowledged away').not.toContain(known.folder)
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
      }
    }),
  )
}

/** Gives the oldest part to the table. */
async function deliver(journal: Journal, known: Known): Promise<boolean> {
  const part = await journal.next()
  if (part === undefined) return false
  for (const block of blocksIn(part.rowsPath)) known.delivered.add(block)
  await journal.remove(part)
  return true
}

/** A journal's life: blocks alone and together, parts that go to the table, are divided and set aside. */
async function live(known: Known): Promise<Journal | undefined> {
  // The first part is full after three blocks.
  const journal = await openJournal(known.folder, { partBytes: 12 }).catch(() => undefined)
  if (journal === undefined) return undefined
  await append(journal, known, 'one.', 'two.')
  await append(journal, known, 'three.')
  await attempt(() => deliver(journal, known))
  await append(journal, known, 'four.', 'five.')
  await attempt(async () => {
    const part = await journal.next()
    if (part) await journal.split(part)
  })
  await attempt(async () => {
    const part = await journal.next()
    if (part === undefined) return
    const blocks = blocksIn(part.rowsPath)
    await journal.quarantine(part)
    for (const block of blocks) known.delivered.add(block)
  })
  await append(journal, known, 'six.')
  return journal
}

async function drain(journal: Journal, known: Known): Promise<void> {
  for (let parts = 0; await deliver(journal, known); parts++) expect(parts, 'the journal drains').toBeLessThan(50)
  expect(journal.bytes).toBe(0)
}

const sent = new Set(['one.', 'two.', 'three.', 'four.', 'five.', 'six.', 'after.', 'again.'])

/** Fails one operation; true when it was reached. */
async function trial(fault: Fault, folder: string): Promise<boolean> {
  const known: Known = { folder, acknowledged: new Set(), delivered: new Set() }
  const openBefore = files.open
  files.begin(fault)
  const journal = await live(known)
  const { failed } = files
  files.begin()
  // Once the fault is over, the journal recovers.
  if (journal) {
    await append(journal, known, 'after.')
    expect(known.acknowledged).toContain('after.')
    await drain(journal, known)
    expect([...known.acknowledged].filter((text) => !known.delivered.has(text))).toEqual([])
    await journal.close()
    expect(files.open, 'files left open').toBe(openBefore)
  }
  // So does the next process, which may find more than was acknowledged, but no incomplete block.
  const next = await openJournal(folder)
  await append(next, known, 'again.')
  await drain(next, known)
  await next.close()
  expect([...known.acknowledged].filter((text) => !known.delivered.has(text))).toEqual([])
  expect([...known.delivered].filter((text) => !sent.has(text))).toEqual([])
  return failed
}

test.each(faults)(
  'whichever file operation %s, the journal loses nothing acknowledged, invents nothing and works afterwards',
  async (_, how) => {
    expect(await failEach(how, trial)).toBeGreaterThan(40)
  },
)

/** A journal that a process left with blocks in it, opened while one operation fails; true when it was reached. */
async function openingTrial(fault: Fault, folder: string): Promise<boolean> {
  const known: Known = { folder, acknowledged: new Set(), delivered: new Set() }
  files.begin()
  const first = await openJournal(folder)
  await append(first, known, 'one.', 'two.')
  await first.close()
  files.begin(fault)
  const opened = await openJournal(folder).catch((error: unknown) => void expect(error).toBeInstanceOf(StoreError))
  const { failed } = files
  files.begin()
  await drain(opened ?? (await openJournal(folder)), known)
  expect([...known.delivered]).toEqual(['one.', 'two.'])
  return failed
}

test.each(faults)(
  'whichever operation %s while a journal is opened, what an earlier process acknowledged is there, then or the next time',
  async (_, how) => {
    expect(await failEach(how, openingTrial)).toBeGreaterThan(5)
  },
)
