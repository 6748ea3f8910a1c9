import { createFairQueue, type Flow } from './fair-queue.ts'

/** Bounds of the statements that the engine is given at a time. */
export interface StatementLimits {
  /** Statements that run at a time. */
  running: number
  /** Of them, those of one API key. Less than `running`, so that no key ever has all. */
  runningOfCaller: number
  /** Of them, those of one project. Less than `runningOfCaller`, so that no project ever has all of its key. */
  runningOfProject: number
  /** Milliseconds after which a statement that still waits is refused. */
  queueTimeoutMs: number
  /** Statements that may wait; more are refused at once. */
  waiting: number
  /** Of them, those of one project. */
  waitingOfProject: number
}

/** Decides whose statement runs next in the engine. */
export interface StatementQueue {
  /**
   * Resolves to what gives the permit back, which is safe to call again. Undefined when the permit does not come in time, when too many wait
   * already, or when the signal aborts first.
   */
  acquire(flow: Flow, signal: AbortSignal): Promise<(() => void) | undefined>
  readonly running: number
  readonly waiting: number
}

export interface StatementQueueOptions {
  limits: StatementLimits
  /** Milliseconds of a clock that never goes back. */
  nowMs: () => number
}

interface Waiter {
  flow: Flow
  admit(release: () => void): void
}

/**
 * Callers take turns, and so do the projects of a caller, each counted by the time for which its statements ran. Some permits are left for
 * those who hold none: however slow the statements of a project are, that of another does not wait for them to end.
 */
export function createStatementQueue({ limits, nowMs }: StatementQueueOptions): StatementQueue {
  const queue = createFairQueue<Waiter>()
  const runningOfCaller = createCounts()
  const runningOfProject = createCounts()
  const waitingOfProject = createCounts()
  let running = 0

  const mayRun = ({ flow }: Waiter) =>
    runningOfCaller.of(flow.caller) < limits.runningOfCaller && runningOfProject.of(flow.project) < limits.runningOfProject
  const isFull = ({ project }: Flow) => queue.size >= limits.waiting || waitingOfProject.of(project) >= limits.waitingOfProject

  function count(flow: Flow, by: 1 | -1): void {
    running += by
    runningOfCaller.add(flow.caller, by)
    runningOfProject.add(flow.project, by)
  }

  function start(flow: Flow): () => void {
    count(flow, 1)
    queue.begin(flow, 1)
    const sinceMs = nowMs()
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      count(flow, -1)
      queue.add(flow, nowMs() - sinceMs)
      admitNext()
    }
  }

  function admitNext(): void {
    while (running < limits.running) {
      const next = queue.next(mayRun)
      if (!next) return
      next.admit(start(next.flow))
    }
  }

  return {
    acquire(flow, signal) {
      return new Promise((resolve) => {
        if (signal.aborted || isFull(flow)) return resolve(undefined)
        const settle = (release?: () => void) => {
          clearTimeout(timer)
          signal.removeEventListener('abort', leave)
          waitingOfProject.add(flow.project, -1)
          resolve(release)
        }
        const leave = () => {
          queue.remove(flow, waiter)
          settle()
        }
        const waiter: Waiter = { flow, admit: settle }
        const timer = setTimeout(leave, limits.queueTimeoutMs)
        signal.addEventListener('abort', leave)
        waitingOfProject.add(flow.project, 1)
        queue.push(flow, waiter)
        admitNext()
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

/** Numbers by key; those at 0 take no memory. */
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
