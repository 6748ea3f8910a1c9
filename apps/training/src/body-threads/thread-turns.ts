import { tooManyRequests } from '@heddle/core-api/internal'
import { createFairQueue } from '@heddle/service-kit'

export interface ThreadTurnsOptions {
  /** Turns at a time. */
  threads: number
  /** Requests that wait for a turn; more are refused with 429. */
  maxWaiting: number
  /** Waiting work, for the message of a refusal, such as `large bodies wait to be read`. */
  waitingWork: string
}

/** Turns of requests on a bounded number of threads, shared fairly among callers. */
export interface ThreadTurns {
  /** Resolves when it is the caller's turn, which `release` ends. @throws ApiError 429 when too many wait; the reason of the signal */
  acquire(caller: string, signal: AbortSignal): Promise<void>
  release(): void
}

export function createThreadTurns({ threads, maxWaiting, waitingWork }: ThreadTurnsOptions): ThreadTurns {
  const waiting = createFairQueue<() => void>()
  let running = 0

  function startNext(): void {
    if (running < threads) waiting.next(() => true)?.()
  }

  return {
    async acquire(caller, signal) {
      const flow = { caller, project: '' }
      signal.throwIfAborted()
      if (waiting.size >= maxWaiting) throw tooManyRequests(`${maxWaiting} ${waitingWork} already; retry shortly`, 5)
      await new Promise<void>((resolve, reject) => {
        const start = () => {
          running++
          waiting.charge(flow, 1)
          signal.removeEventListener('abort', leave)
          resolve()
        }
        const leave = () => {
          waiting.remove(flow, start)
          reject(signal.reason as Error)
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(flow, start)
        startNext()
      })
    },
    release() {
      running--
      startNext()
    },
  }
}
