type Work = () => void

/** The version changes with the stored value, so that copies of the package that cannot read each other's values do not share them. */
const slot = Symbol.for('heddle.agent-instrumentation.pending.v1')

/** One for the process, however many copies of the package are loaded. */
function pending(): Set<Work> {
  const holder = globalThis as { [slot]?: Set<Work> }
  return (holder[slot] ??= startPending())
}

/** A program that exits immediately has no later tick. This listener runs before those that save its spans. */
function startPending(): Set<Work> {
  process.prependListener('exit', runPendingWork)
  return new Set()
}

/** Notes what runs in a later tick of the event loop, so that it can run before. */
export function addPendingWork(work: Work) {
  pending().add(work)
}

export function removePendingWork(work: Work) {
  pending().delete(work)
}

/** Runs what would run in a later tick: spans of model calls that have ended get their attributes, and their end. */
export function runPendingWork() {
  for (const work of pending()) work()
}
