import type { ApiError } from '@heddle/core-api'
import { badRequest, tooManyRequests } from '@heddle/core-api/internal'
import { createFairQueue, type Flow } from './fair-queue.ts'
import type { LoopTurns } from './loop-turns.ts'
import { createRests } from './rests.ts'

export interface LaneLimits {
  /** Work on further requests begins in the same turn of the event loop until those begun weigh so many bytes. */
  turnBytes: number
  /** Milliseconds that flows which have more rest for each millisecond of their turn, while others come one at a time; 0 for none. */
  restShare: number
  /** Requests that are worked on at a time. */
  maxWorking: number
  /** Bytes of their bodies, without the large ones. */
  maxWorkingBytes: number
  /** Bytes from which on a request is large. */
  largeBytes: number
  /** Large requests that are worked on at a time. */
  maxLarge: number
  /** Milliseconds after which a request counts as worked on no longer: it waits for something that others need not wait for. */
  maxHoldMs: number
  /** Milliseconds that the first of a flow may have waited before further requests of that flow are refused, unread. */
  patienceMs: number
  /** Milliseconds after which a request that still waits is refused. */
  maxWaitMs: number
  /** Requests that may wait, of all flows. */
  maxWaiting: number
}

export interface LaneOptions {
  /** For messages: what waits here. */
  name: string
  limits: LaneLimits
  nowMs: () => number
  turns: LoopTurns
}

/** One request on its way through a lane. */
export interface Visit {
  /**
   * Resolves when work on a body of so many bytes may begin; at once when it has begun.
   * @throws ApiError 429 when the turn does not come in time, 400 when the client leaves first.
   */
  begin(bytes: number, client: Pick<Request, 'signal'>): Promise<void>
  /** The body turned out to be so many bytes more. */
  add(bytes: number): void
  /** Gives the turn back. Safe to call again. */
  leave(): void
  /** Milliseconds that it waited for its turn. */
  readonly waitedMs: number
}

/** How many requests there are at the moment. */
export interface LaneFigures {
  readonly working: number
  readonly waiting: number
}

/** Bounds the requests that are worked on at a time, and says who is next. */
export interface Lane extends LaneFigures {
  /** Asks to be let in, before the body is read. @throws ApiError 429 when others of the same flow wait too long already. */
  enter(flow: Flow): Visit
}

/** Ends a turn. Safe to call again. */
type GiveBack = () => void

interface Waiter {
  bytes: number
  sinceMs: number
  start(): void
}

const bytesBesideBody = 16 * 1024

/** What a request counts for: its body, and what every request costs. */
const weightOf = (bytes: number) => bytesBesideBody + bytes

/**
 * Work on one request, or on several light ones, begins in each turn of the event loop. Most of the work of a write is done on the loop, at
 * once: were all those begun that arrived, each would wait for all the others, and so would whatever comes next.
 */
export function createLane({ name, limits, nowMs, turns }: LaneOptions): Lane {
  const queue = createFairQueue<Waiter>()
  const rests = createRests({ restShare: limits.restShare, nowMs })
  let working = 0
  let workingBytes = 0
  let large = 0
  /** Bytes of what began in this turn of the event loop. */
  let begunBytes = 0
  let restTimer: NodeJS.Timeout | undefined

  const isLarge = (bytes: number) => bytes >= limits.largeBytes
  const fits = ({ bytes }: Pick<Waiter, 'bytes'>) =>
    isLarge(bytes) ? large < limits.maxLarge : workingBytes === 0 || workingBytes + bytes <= limits.maxWorkingBytes
  const mayGo = (waiter: Waiter) => rests.allows(waiter.sinceMs) && fits(waiter)
  const mayBegin = () => begunBytes < limits.turnBytes && working < limits.maxWorking

  function refusal(waitedMs: number): ApiError {
    const waited = `those before it waited ${Math.round(waitedMs)} ms`
    return tooManyRequests(`more ${name} than the server can take: ${waited}. Send this request again later`, 1)
  }

  function letIn(): void {
    while (mayBegin()) {
      const waiter = queue.next(mayGo)
      if (!waiter) return
      waiter.start()
    }
  }

  /** Lets in who may go, and those who rest when their rest is over. Timers of the runtime may be early. */
  function letInRested(): void {
    letIn()
    const restMs = rests.leftMs()
    if (restMs === 0 || restTimer !== undefined) return
    restTimer = setTimeout(() => {
      restTimer = undefined
      letInRested()
    }, Math.ceil(restMs))
  }

  function noteBegun(weight: number): void {
    if (begunBytes === 0)
      turns.next(() => {
        begunBytes = 0
        rests.endTurn()
        letInRested()
      })
    begunBytes += weight
  }

  function takeTurn(flow: Flow, bytes: number): GiveBack {
    const weight = isLarge(bytes) ? { large: 1, bytes: 0 } : { large: 0, bytes }
    const count = (sign: 1 | -1) => {
      working += sign
      large += sign * weight.large
      workingBytes += sign * weight.bytes
    }
    queue.begin(flow, weightOf(bytes))
    rests.begin(flow, queue.first(flow) !== undefined)
    noteBegun(weightOf(bytes))
    count(1)
    let isHeld = true
    const giveBack = () => {
      clearTimeout(timer)
      if (!isHeld) return
      isHeld = false
      count(-1)
      letIn()
    }
    const timer = setTimeout(giveBack, limits.maxHoldMs)
    return giveBack
  }

  function waitForTurn(flow: Flow, bytes: number, { signal }: Pick<Request, 'signal'>): Promise<GiveBack> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', leave)
        queue.remove(flow, waiter)
      }
      const refuse = (error: ApiError) => {
        stop()
        reject(error)
      }
      const leave = () => refuse(badRequest('the client closed the connection before its turn came'))
      const waiter: Waiter = {
        bytes,
        sinceMs: nowMs(),
        start() {
          stop()
          resolve(takeTurn(flow, bytes))
        },
      }
      const timer = setTimeout(() => refuse(refusal(limits.maxWaitMs)), limits.maxWaitMs)
      signal.addEventListener('abort', leave)
      queue.push(flow, waiter)
      letIn()
    })
  }

  function visitOf(flow: Flow): Visit {
    let giveBack: GiveBack | undefined
    let waitedMs = 0
    return {
      async begin(bytes, client) {
        if (giveBack) return
        if (queue.size === 0 && mayBegin() && fits({ bytes })) {
          giveBack = takeTurn(flow, bytes)
          return
        }
        const sinceMs = nowMs()
        giveBack = await waitForTurn(flow, bytes, client).finally(() => (waitedMs = nowMs() - sinceMs))
      },
      add: (bytes) => queue.add(flow, bytes),
      leave: () => giveBack?.(),
      get waitedMs() {
        return waitedMs
      },
    }
  }

  return {
    enter(flow) {
      const first = queue.first(flow)
      const waitedMs = first ? nowMs() - first.sinceMs : 0
      if (waitedMs > limits.patienceMs || queue.size >= limits.maxWaiting) throw refusal(waitedMs)
      return visitOf(flow)
    },
    get working() {
      return working
    },
    get waiting() {
      return queue.size
    },
  }
}
