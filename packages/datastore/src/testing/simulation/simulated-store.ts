import { dirname } from 'node:path'
import { createVirtualClock, seededRandom } from '@heddle/testing'
import { StoreError } from '../../work/store-error.ts'
import { type InsertBatchers, createInsertBatchers } from '../../analytical/writes/insert-batchers.ts'
import type { JournalDamage } from '../../analytical/journal/journal-damage.ts'
import { journaledTables, openJournal } from '../../analytical/journal/journal.ts'
import { createJournaledBatcher } from '../../analytical/writes/journaled-batcher.ts'
import { createJournalSpaceCheck } from '../../analytical/writes/journal-space.ts'
import type { SimulatedDisk } from './simulated-disk.ts'
import { blocksOf, createSimulatedEngine } from './simulated-engine.ts'

/** A request to a store, or a fault. */
export type Step =
  /** Without a project its rows may be of any. */
  | { do: 'write'; table: string; bytes: number; is: 'fine' | 'bad' | 'a delete'; project?: string | undefined }
  /** Of one project, or of all. */
  | { do: 'read'; project?: string | undefined; derived: boolean }
  | { do: 'wait'; ms: number }
  | { do: 'disk'; failing: number; slowestMs: number }
  | { do: 'fill disk'; leaving: number }
  | { do: 'slow engine'; slowestMs: number }
  | { do: 'kill engine'; forMs: number }
  | { do: 'end'; how: 'process' | 'power' | 'close' }

/** Journals and batchers over a simulated disk, engine and clock. Deterministic for a seed and its steps. */
export interface SimulatedStore {
  /** @throws Error naming the invariant that was violated */
  take(step: Step): Promise<void>
  /** Ends all faults, and asserts that every acknowledged block arrives in its table exactly once. @throws Error naming those that do not */
  recover(): Promise<void>
}

const folder = '/store/journal'
const soundDisk = { failing: 0, capacity: 60_000, othersBytes: 0, slowestMs: 3 }
const quickEngineMs = 20
const limits = { batchBytes: 1_000, journalBytes: 3_000, maxWaitingBytes: 4_000, maxWaitingMs: 2_000 }
/** Bytes of a journal before which writers may pause. */
const pausingBytes = limits.journalBytes / 3
/** A block of any size is accepted when nothing else is queued. */
export const largestBlock = 5_000
const tables = 2
/** Besides its time in the queue a writer waits for the disk. */
const longestWriteMs = limits.maxWaitingMs + 10_000
/** A refused part is split into blocks, which are inserted one by one. */
const longestReadMs = 120_000
/** Between two attempts of an insert, including the insert. */
const longestPauseMs = 10_000

interface Asked {
  what: string
  sinceMs: number
  longestMs: number
}

export function createSimulatedStore(seed: number, disk: SimulatedDisk): SimulatedStore {
  const timing = createVirtualClock({ random: seededRandom(seed) })
  disk.begin({ timing, state: soundDisk, folder: dirname(folder) })
  /** All blocks sent so far. */
  const sent = new Set<string>()
  /** Those whose writers got an error that guarantees nothing was written. */
  const turnedAway = new Set<string>()
  /** Blocks of earlier processes: one that ends while it splits a part leaves the part as well. */
  let earlier = new Set<string>()
  const acknowledged = new Set<string>()
  /** The project of each block that names one. */
  const projectOf = new Map<string, string>()
  const broken: string[] = []
  const asked = new Set<Asked>()
  /** When the disk had space again. */
  let roomSinceMs = -Infinity
  const engine = createSimulatedEngine({ timing, disk, isTaken: (block) => isFine(block) && sent.has(block) })
  let hasFailed = false
  let isClosing = false
  let hasLostPower = false
  let foundBytes = 0
  let batchers = open()

  function open(): InsertBatchers {
    foundBytes = bytesInJournal()
    const assertDiskSpace = createJournalSpaceCheck({ folder, now: timing.now, waitingBytes: () => batchers.waitingBytes })
    return createInsertBatchers({
      listRecovered: () => journaledTables(folder),
      open: async (table) =>
        createJournaledBatcher({
          journal: await openJournal(`${folder}/${table}`, { columns: [['text']], partBytes: limits.batchBytes, onDamage: checkDamage }),
          write: (part) => engine.write(part),
          onRefused: () => undefined,
          assertDiskSpace,
          timing,
          ...limits,
        }),
    })
  }

  /** Without a power cut files survive a process as written; with one, nothing acknowledged is missing. */
  function checkDamage(damage: JournalDamage): void {
    const isExpected = hasLostPower && !damage.isCertain
    expectThat(isExpected, () => `a journal is reported as damaged: ${JSON.stringify(damage)}`)
  }

  function bytesInJournal(): number {
    const files = disk.paths.filter((path) => /\/journal\/\w+\/\d+\.rows$/.test(path))
    return files.reduce((sum, path) => sum + disk.read(path).length, 0)
  }

  function refusedBlocks(): Set<string> {
    const files = disk.paths.filter((path) => /\/refused\/\d+\.rows$/.test(path))
    return new Set(files.flatMap((path) => blocksOf(disk.read(path).toString())))
  }

  function expectThat(isSo: boolean, otherwise: () => string): void {
    if (!isSo) broken.push(`${otherwise()}, at ${Math.round(timing.now())} ms`)
  }

  /** Every request is answered within its bound. */
  function ask(what: string, longestMs: number, answer: Promise<void>, on: { done(): void; refused(error: unknown): void }): void {
    const entry = { what, sinceMs: timing.now(), longestMs }
    asked.add(entry)
    answer.then(on.done, on.refused).finally(() => asked.delete(entry))
  }

  function write({ table, bytes, is, project }: Step & { do: 'write' }): void {
    const block = `${sent.size}${is === 'bad' ? '!' : ':'}${'x'.repeat(bytes)}.`
    sent.add(block)
    if (project !== undefined) projectOf.set(block, project)
    const row = {
      bytes: Buffer.from(block),
      rows: 1,
      columns: ['text'],
      onlyDeletes: is === 'a delete',
      ...(project !== undefined && { projects: [project] }),
    }
    ask('a write', longestWriteMs, batchers.add(table, row), {
      done: () => void acknowledged.add(block),
      refused(error) {
        checkRefusal('a write', error, ['busy', 'full'])
        if (error instanceof StoreError && error.kind === 'busy') turnedAway.add(block)
      },
    })
  }

  function read({ project, derived }: Step & { do: 'read' }): void {
    const mayHold = (block: string) => project === undefined || (projectOf.get(block) ?? project) === project
    const before = [...acknowledged].filter(mayHold)
    const sinceMs = timing.now()
    ask('a read', longestReadMs, batchers.flush({ projects: project === undefined ? undefined : [project], derived }), {
      done() {
        // On a full disk readers do not wait for rows that cannot be inserted.
        if (sinceMs < roomSinceMs + longestPauseMs) return
        const missing = before.find((block) => isFine(block) && !engine.rows.has(block))
        expectThat(missing === undefined, () => `a reader does not find ${missing}`)
      },
      // Damage of a power cut is quarantined before anything is read, which needs disk space.
      refused: (error) => checkRefusal('a read', error, hasLostPower ? ['unavailable', 'full'] : ['unavailable']),
    })
  }

  function checkRefusal(what: string, error: unknown, kinds: readonly string[]): void {
    const kind = error instanceof StoreError ? error.kind : 'no error of the store'
    const isKnown = kinds.includes(kind) || (isClosing && kind === 'unavailable') || (hasFailed && kind === 'failed')
    expectThat(isKnown, () => `${what} is refused as ${kind}: ${String(error)}`)
  }

  function fillDisk(leaving: number): void {
    disk.state.othersBytes = Math.max(0, soundDisk.capacity - leaving)
    roomSinceMs = leaving === Infinity ? Math.min(roomSinceMs, timing.now()) : Infinity
  }

  /** Asserts the invariants. */
  function check(): void {
    for (const { what, sinceMs, longestMs } of asked)
      expectThat(timing.now() - sinceMs <= longestMs, () => `${what} has waited for ${timing.now() - sinceMs} ms`)
    const most = foundBytes + tables * (Math.max(limits.journalBytes, largestBlock + 10) + pausingBytes + limits.maxWaitingBytes)
    expectThat(batchers.waitingBytes <= most, () => `${batchers.waitingBytes} bytes wait`)
    for (const [block, times] of engine.rows) {
      expectThat(times <= 1 || earlier.has(block), () => `${block} was written ${times} times`)
      expectThat(!turnedAway.has(block), () => `${block} was refused as too much, and written`)
    }
    if (broken.length > 0) throw new Error(broken.join('\n'))
  }

  async function close(maxMs: number): Promise<void> {
    isClosing = true
    const closing = batchers.close().catch((error: unknown) => expectThat(hasFailed, () => `the store cannot be closed: ${String(error)}`))
    await timing.advanceUntil(closing, maxMs)
    expectThat(asked.size === 0, () => `closed without an answer to ${[...asked].map(({ what }) => what).join(', ')}`)
    expectThat(hasFailed || disk.open === 0, () => `closed with ${disk.open} files open`)
  }

  /** Kills the process, and starts the next. */
  async function end(how: 'process' | 'power' | 'close'): Promise<void> {
    await timing.advance(0)
    if (how === 'close') await close(60_000)
    disk.end(how === 'power' ? 'power' : 'process')
    engine.forgetCallers()
    timing.cancelAll()
    asked.clear()
    earlier = new Set(sent)
    isClosing = false
    hasFailed = disk.state.failing > 0
    hasLostPower ||= how === 'power'
    batchers = open()
  }

  async function take(step: Step): Promise<void> {
    switch (step.do) {
      case 'write':
        return write(step)
      case 'read':
        return read(step)
      case 'wait':
        return timing.advance(step.ms)
      case 'disk':
        hasFailed ||= step.failing > 0
        return void Object.assign(disk.state, { failing: step.failing, slowestMs: step.slowestMs })
      case 'fill disk':
        return fillDisk(step.leaving)
      case 'slow engine':
        return void (engine.slowestMs = step.slowestMs)
      case 'kill engine':
        return engine.kill(step.forMs)
      case 'end':
        return end(step.how)
    }
  }

  return {
    async take(step) {
      await take(step)
      check()
    },
    async recover() {
      Object.assign(disk.state, soundDisk)
      engine.kill(0)
      engine.slowestMs = quickEngineMs
      await timing.advance(30_000)
      await timing.advanceUntil(batchers.flush(), 10_000)
      const refused = refusedBlocks()
      for (const block of acknowledged)
        expectThat((isFine(block) ? engine.rows : refused).has(block), () => `${block} was acknowledged and is gone`)
      for (const block of refused) expectThat(!isFine(block), () => `${block} was quarantined`)
      expectThat(batchers.waitingBytes === 0, () => `${batchers.waitingBytes} bytes still wait`)
      await close(10_000)
      expectThat(timing.pending === 0, () => `${timing.pending} timers are left`)
      expectThat(hasFailed || bytesInJournal() === 0, () => `${bytesInJournal()} bytes are left in the journal`)
      check()
    },
  }
}

const isFine = (block: string) => /^\d+:x+\.$/.test(block)
