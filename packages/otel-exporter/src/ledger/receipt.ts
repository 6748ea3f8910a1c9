import type { Clock } from '../clock.ts'

/** Reports the outcome of the spans of one export, once for all of them. */
export interface Receipt {
  /** One span has been sent or is kept; or it was dropped, for the reason that `problem` gives. */
  settle(problem: string | undefined): void
}

export interface ReceiptDeps {
  clock: Clock
  /** Milliseconds after which spans still in flight count as kept. The process is kept alive until then. */
  timeoutMs: number
}

/** Calls `done` once: when `spans` spans have been settled or at the timeout, with the first problem, if any. */
export function createReceipt({ clock, timeoutMs }: ReceiptDeps, spans: number, done: (problem: string | undefined) => void): Receipt {
  let open = spans
  let failed = 0
  let first: string | undefined
  let isDone = false
  const finish = () => {
    if (isDone) return
    isDone = true
    cancel()
    done(first === undefined ? undefined : `${failed} of ${spans} spans: ${first}`)
  }
  const cancel = clock.after(timeoutMs, finish, { keepsProcessAlive: true })
  if (spans === 0) finish()
  return {
    settle(problem) {
      if (problem !== undefined) {
        failed++
        first ??= problem
      }
      if (--open === 0) finish()
    },
  }
}
