import type { ApiError } from '@heddle/core-api'
import { badRequest, tooManyRequests } from '@heddle/core-api/internal'
import type { EventLoopTicks } from './event-loop-ticks.ts'
import { createFairQueue, type Flow } from './fair-queue.ts'
import { createPacing, type PacingLimits } from './pacing.ts'

export interface RequestQueueLimits extends PacingLimits {
  /** Requests that run at a time. */
  maxRunning: number
  /** Bytes of their bodies, without the large ones. */
  maxRunningBytes: number
  /** Bytes from which on a request is large. */
  largeBytes: number
  /** Large requests that run at a time. */
  maxLarge: number
  /** Milliseconds after which a request no longer counts as running: by then it waits for something that other requests do not need. */
  maxOccupancyMs: number
  /** Milliseconds after which a request that still waits is refused. */
  queueTimeoutMs: number
  /** Milliseconds that the oldest request of a flow may have waited before new requests of the flow are refused, unread. */
  shedAfterMs: number
  /** Requests that may wait, of all flows. */
  maxWaiting: number
}

export interface RequestQueueOptions {
  /** For messages: what waits here. */
  name: string
  limits: RequestQueueLimits
  nowMs: () => number
  ticks: EventLoopTicks
}

/** Permission to work on one request. */
export interface Permit {
  /**
   * Resolves when work on a body of this many bytes may start; immediately if the permit is already held.
   * @throws ApiError 429 when the permit is not granted in time, 400 when the client leaves first.
   */
  acquire(bytes: number, client: Pick<Request, 'signal'>): Promise<void>
  /** Counts bytes by which the body turned out to be larger. */
  addBytes(bytes: number): void
  /** Safe to call again, and without `acquire`. */
  release(): void
  /** Milliseconds that `acquire` waited. */
  readonly waitedMs: number
}

/** How many requests there are at the moment. */
export interface QueueStats {
  readonly running: number
  readonly waiting: number
}

/** Bounds the requests that run at a time, and decides which is next. */
export interface RequestQueue extends QueueStats {
  /** Must be called before the body is read. @throws ApiError 429 when other requests of the flow have waited too long already. */
  admit(flow: Flow): Permit
}

/** Safe to call again. */
type Release = () => void

interface Waiter {
  bytes: number
  sinceMs: number
  grant(): void
}

const overheadBytes = 16 * 1024

/** Weight of a request: its body, plus the fixed cost of every request. */
const weightOf = (bytes: number) => overheadBytes + bytes

/**
 * One request, or several light ones, start in each tick of the event loop. Most of the work of a write runs on the loop without a pause: if all
 * waiting requests started together, each would wait for all the others, and so would the next to arrive.
 */
export function createRequestQueue({ name, limits, nowMs, ticks }: RequestQueueOptions): RequestQueue {
  const queue = createFairQueue<Waiter>()
  const pacing = createPacing({ limits, nowMs, ticks, onReady: grantNext })
  let running = 0
  let runningBytes = 0
  let large = 0

  const isLarge = (bytes: number) => bytes >= limits.largeBytes
  const fits = ({ bytes }: Pick<Waiter, 'bytes'>) =>
    isLarge(bytes) ? large < limits.maxLarge : runningBytes === 0 || runningBytes + bytes <= limits.maxRunningBytes
  const isEligible = (waiter: Waiter) => pacing.allows(waiter.sinceMs) && fits(waiter)
  const hasCapacity = () => pacing.hasCapacity() && running < limits.maxRunning

  function overloaded(waitedMs: number): ApiError {
    const waited = `requests ahead of this one have waited ${Math.round(waitedMs)} ms`
    return tooManyRequests(`more ${name} than the server can handle: ${waited}; retry later`, 1)
  }

  function grantNext(): void {
    while (hasCapacity()) {
      const waiter = queue.next(isEligible)
      if (!waiter) return
      waiter.grant()
    }
  }

  function start(flow: Flow, bytes: number): Release {
    const weight = isLarge(bytes) ? { large: 1, bytes: 0 } : { large: 0, bytes }
    const count = (sign: 1 | -1) => {
      running += sign
      large += sign * weight.large
      runningBytes += sign * weight.bytes
    }
    queue.charge(flow, weightOf(bytes))
    pacing.start(flow, weightOf(bytes), queue.first(flow) !== undefined)
    count(1)
    let isHeld = true
    const release = () => {
      clearTimeout(timer)
      if (!isHeld) return
      isHeld = false
      count(-1)
      grantNext()
    }
    const timer = setTimeout(release, limits.maxOccupancyMs)
    return release
  }

  function waitInQueue(flow: Flow, bytes: number, { signal }: Pick<Request, 'signal'>): Promise<Release> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        queue.remove(flow, waiter)
      }
      const refuse = (error: ApiError) => {
        stop()
        reject(error)
      }
      const onAbort = () => refuse(badRequest('the client closed the connection while its request was queued'))
      const waiter: Waiter = {
        bytes,
        sinceMs: nowMs(),
        grant() {
          stop()
          resolve(start(flow, bytes))
        },
      }
      const timer = setTimeout(() => refuse(overloaded(limits.queueTimeoutMs)), limits.queueTimeoutMs)
      signal.addEventListener('abort', onAbort)
      queue.push(flow, waiter)
      grantNext()
    })
  }

  function permitOf(flow: Flow): Permit {
    let release: Release | undefined
    let waitedMs = 0
    return {
      async acquire(bytes, client) {
        if (release) return
        if (queue.size === 0 && hasCapacity() && fits({ bytes })) {
          release = start(flow, bytes)
          return
        }
        const sinceMs = nowMs()
        release = await waitInQueue(flow, bytes, client).finally(() => (waitedMs = nowMs() - sinceMs))
      },
      addBytes: (bytes) => queue.addCharge(flow, bytes),
      release: () => release?.(),
      get waitedMs() {
        return waitedMs
      },
    }
  }

  return {
    admit(flow) {
      const oldest = queue.first(flow)
      const waitedMs = oldest ? nowMs() - oldest.sinceMs : 0
      if (waitedMs > limits.shedAfterMs || queue.size >= limits.maxWaiting) throw overloaded(waitedMs)
      return permitOf(flow)
    },
    get running() {
      return running
    },
    get waiting() {
      return queue.size
    },
  }
}
