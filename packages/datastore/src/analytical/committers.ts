import { allOver } from '../all-over.ts'
import type { Committer, NamedRows } from './committer.ts'

export interface CommittersOptions {
  /** Opens the committer of a table. */
  open(table: string): Promise<Committer>
  /** The tables that already have rows to commit. */
  found(): Promise<readonly string[]>
}

/** The committers of all tables, each opened when it is first needed. */
export interface Committers {
  /** Resolves when the rows are durable. @throws StoreError as `Committer.add` does. */
  add(table: string, block: NamedRows): Promise<void>
  /** Resolves when all that was acknowledged before, also by an earlier process, is in its table. */
  readable(): Promise<void>
  /** The same for what this process acknowledged: a migration comes before what an earlier one left. */
  written(): Promise<void>
  /** Bytes that wait for their tables. */
  readonly waitingBytes: number
  /** Milliseconds since the oldest writer that is held up came; 0 when none is. */
  readonly oldestWaitingMs: number
  close(): Promise<void>
}

export function createCommitters({ open, found }: CommittersOptions): Committers {
  const opening = new Map<string, Promise<Committer>>()
  const opened = new Set<Committer>()
  let finding: Promise<void> | undefined

  function committerOf(table: string): Promise<Committer> {
    const known = opening.get(table)
    if (known) return known
    const made = open(table)
    opening.set(table, made)
    made.then(
      (committer) => opened.add(committer),
      () => opening.delete(table),
    )
    return made
  }

  async function openFound(): Promise<void> {
    try {
      await Promise.all((await found()).map(committerOf))
    } catch (error) {
      finding = undefined
      throw error
    }
  }

  async function written(): Promise<void> {
    await Promise.all([...opened].map((committer) => committer.readable()))
  }

  return {
    async add(table, block) {
      await (await committerOf(table)).add(block)
    },
    async readable() {
      await (finding ??= openFound())
      await written()
    },
    written,
    get waitingBytes() {
      return [...opened].reduce((sum, committer) => sum + committer.waitingBytes, 0)
    },
    get oldestWaitingMs() {
      return Math.max(0, ...[...opened].map((committer) => committer.oldestWaitingMs))
    },
    async close() {
      await Promise.allSettled([finding])
      await Promise.allSettled(opening.values())
      await allOver([...opened].map((committer) => committer.close()))
    },
  }
}
