import { addPendingWork, removePendingWork } from '../context/pending-work.ts'

/** Work on model calls that ended, in their order, of which the program need not wait for any. */
export interface UnreadOutcomes {
  /** Runs it in a later tick of the event loop, when the program mostly waits for its next response. */
  add(work: () => void): void
  /** Reads all outcomes that have not been read. */
  readAll(): void
}

export function createUnreadOutcomes(): UnreadOutcomes {
  let unread: (() => void)[] = []
  let later: NodeJS.Immediate | undefined

  function readAll() {
    if (unread.length === 0) return
    const all = unread
    unread = []
    removePendingWork(readAll)
    // It holds the trajectory.
    clearImmediate(later)
    for (const work of all) work()
  }

  return {
    add(work) {
      if (unread.push(work) > 1) return
      addPendingWork(readAll)
      later = setImmediate(readAll)
    },
    readAll,
  }
}
