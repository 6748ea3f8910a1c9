import { createFairQueue, type Flow } from './fair-queue.ts'

/** Bounds of concurrent work, such as statements in the engine. */
export interface PermitLimits {
  /** Pieces of work that run at a time. */
  running: number
  /** Maximum of one API key. Less than `running`, so that no key ever holds all permits. */
  runningOfCaller: number
  /** Maximum of one project. Less than `runningOfCaller`, so that no project ever holds all permits of its key. */
  runningOfProject: number
  /** Milliseconds after which work that still waits is refused. */
  queueTimeoutMs: number
  /** Pieces of work that may wait; more are refused immediately. */
  waiting: number
  /** Maximum of one project. */
  waitingOfProject: number
  /** Bounds of all work without an API key together, such as that of public links. Undefined: the bounds of one key. */
  withoutKey?: { running: number; waiting: number }
}

/** Decides whose work runs next: each piece holds a permit while it runs. */
export interface PermitQueue {
  /**
   * Resolves to the function that releases the permit, which is safe to call again. Undefined when the permit is not granted in time, when the
   * queue is full, or when the signal aborts first.
   */
  acquire(flow: Flow, signal: AbortSignal): Promise<(() => void) | undefined>
  readonly running: number
  readonly waiting: number
}

export interface PermitQueueOptions {
  limits: PermitLimits
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number
}

interface Waiter {
  flow: Flow
  grant(release: () => void): void
}

/**
 * Fair queueing among callers and among the projects of a caller, by the running time of their work. Some permits are reserved for callers without
 * any: however slow the work of a project is, another project does not wait for it to end.
 */
export function createPermitQueue({ limits, nowMs }: PermitQueueOptions): PermitQueue {
  const queue = createFairQueue<Waiter>()
  const runningOfCaller = createCounts()
  const runningOfProject = createCounts()
  const waitingOfProject = createCounts()
  const { withoutKey = { running: limits.runningOfCaller, waiting: limits.waiting } } = limits
  let running = 0
  let waitingWithoutKey = 0

  const maxRunningOf = ({ caller }: Flow) => (hasKey(caller) ? limits.runningOfCaller : withoutKey.running)
  const mayRun = ({ flow }: Waiter) =>
    runningOfCaller.of(flow.caller) < maxRunningOf(flow) && runningOfProject.of(flow.project) < limits.runningOfProject
  const isFull = ({ caller, project }: Flow) =>
    queue.size >= limits.waiting ||
    waitingOfProject.of(project) >= limits.waitingOfProject ||
    (!hasKey(caller) && waitingWithoutKey >= withoutKey.waiting)

  function countWaiting({ caller, project }: Flow, by: 1 | -1): void {
    waitingOfProject.add(project, by)
    if (!hasKey(caller)) waitingWithoutKey += by
  }

  function count(flow: Flow, by: 1 | -1): void {
    running += by
    runningOfCaller.add(flow.caller, by)
    runningOfProject.add(flow.project, by)
  }

  function start(flow: Flow): () => void {
    count(flow, 1)
    queue.charge(flow, 1)
    const sinceMs = nowMs()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      count(flow, -1)
      queue.addCharge(flow, nowMs() - sinceMs)
      grantNext()
    }
  }

  function grantNext(): void {
    while (running < limits.running) {
      const next = queue.next(mayRun)
      if (!next) return
      next.grant(start(next.flow))
    }
  }

  return {
    acquire(flow, signal) {
      return new Promise((resolve) => {
        if (signal.aborted || isFull(flow)) return resolve(undefined)
        const settle = (release?: () => void) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', cancel)
          countWaiting(flow, -1)
          resolve(release)
        }
        const cancel = () => {
          queue.remove(flow, waiter)
          settle()
        }
        const waiter: Waiter = { flow, grant: settle }
        const timer = setTimeout(cancel, limits.queueTimeoutMs)
        signal.addEventListener('abort', cancel)
        countWaiting(flow, 1)
        queue.push(flow, waiter)
        grantNext()
      })
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
  }
}

const hasKey = (caller: string) => caller !== ''

/** Counters by key; those at 0 take no memory. */
function createCounts() {
  const counts = new Map<string, number>()
  const of = (key: string) => counts.get(key) ?? 0
  return {
    of,
    add(key: string, by: number) {
      const sum = of(key) + by
      if (sum === 0) counts.delete(key)
      else counts.set(key, sum)
    },
  }
}
