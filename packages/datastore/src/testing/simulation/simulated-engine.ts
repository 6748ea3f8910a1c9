import { StoreError } from '../../work/store-error.ts'
import type { JournalPart } from '../../analytical/journal/journal-part.ts'
import type { Timing } from '../../timing.ts'
import type { SimulatedDisk } from './simulated-disk.ts'

/** An engine that reads parts from a disk, and stores its tables there. It can be killed, and restarts. */
export interface SimulatedEngine {
  /** Inserts a part into its table, atomically, also where the response is lost. */
  write(part: JournalPart): Promise<void>
  /** Maximum milliseconds of an insert. */
  slowestMs: number
  /** Kills the engine during its inserts: each is done or not. It restarts after this many milliseconds. */
  kill(forMs: number): void
  /** The server has exited, and receives no responses. */
  forgetCallers(): void
  /** Blocks in the tables, with the number of inserts of each that the running server saw succeed. */
  readonly rows: ReadonlyMap<string, number>
}

export interface SimulatedEngineOptions {
  timing: Timing
  disk: SimulatedDisk
  /** Whether the table accepts a block. */
  isTaken(block: string): boolean
}

interface Insert {
  act(): void
  reject(error: StoreError): void
}

export function createSimulatedEngine({ timing, disk, isTaken }: SimulatedEngineOptions): SimulatedEngine {
  const rows = new Map<string, number>()
  const underWay = new Set<Insert>()
  let awayUntilMs = 0
  let slowestMs = 20

  function insert({ rowsPath, bytes }: JournalPart): string[] {
    const blocks = blocksOf(disk.read(rowsPath).toString())
    if (!blocks.every(isTaken)) throw new StoreError('data', 'the table refuses a block')
    const { capacity, othersBytes } = disk.state
    if (othersBytes + bytes > capacity) throw new StoreError('full', 'the disk is full')
    for (const block of blocks) rows.set(block, rows.get(block) ?? 0)
    return blocks
  }

  return {
    write(part) {
      if (timing.now() < awayUntilMs) return Promise.reject(new StoreError('unavailable', 'the engine is away'))
      return new Promise((resolve, reject) => {
        const takesMs = timing.random() * slowestMs
        const entry: Insert = { act: () => void insert(part), reject }
        underWay.add(entry)
        timing.after(takesMs, () => {
          if (!underWay.delete(entry)) return
          try {
            for (const block of insert(part)) rows.set(block, (rows.get(block) ?? 0) + 1)
            resolve()
          } catch (error) {
            reject(error)
          }
        })
      })
    },
    get slowestMs() {
      return slowestMs
    },
    set slowestMs(ms) {
      slowestMs = ms
    },
    kill(forMs) {
      awayUntilMs = timing.now() + forMs
      const cut = [...underWay]
      underWay.clear()
      for (const each of cut) {
        if (timing.random() < 0.5) attempt(each.act)
        each.reject(new StoreError('unavailable', 'the engine was killed'))
      }
    },
    forgetCallers() {
      for (const each of underWay) if (timing.random() < 0.5) attempt(each.act)
      underWay.clear()
      for (const block of rows.keys()) rows.set(block, 0)
    },
    rows,
  }
}

/** Each block ends with a full stop, so that a truncated one is detected. */
export function blocksOf(text: string): string[] {
  return text.match(/[^.]*\.?/g)?.filter((block) => block !== '') ?? []
}

/** An insert whose response is lost may have failed as well. */
function attempt(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
  }
}
