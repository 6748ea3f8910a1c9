/** Work on model calls that ended, in their order, of which the program need not wait for any. */
export interface UnreadOutcomes {
  /** Runs it in a later tick of the event loop, when the program mostly waits for its next response. */
  add(work: () => void): void
  /** Runs now what has not run. */
  readAll(): void
}

export function createUnreadOutcomes(): UnreadOutcomes {
  let unread: (() => void)[] = []

  function readAll() {
    const all = unread
    unread = []
    for (const work of all) work()
  }

  return {
    add(work) {
      if (unread.push(work) === 1) setImmediate(readAll)
    },
    readAll,
  }
}
