import { tooManyRequests } from '@heddle/core-api/internal'
import { createFairQueue, type FairQueue, type Flow } from '@heddle/service-kit'

export interface GenerationLimits {
  /** Completions that are sampled at a time. A request that begins may bring it above, by its choices. */
  running: number
  /** The part of them reserved for interactive requests, at most a quarter. */
  reserved: number
  /** Requests of one API key, including waiting ones. */
  ofCaller: number
  /** Requests for models of one project, including waiting ones. */
  ofProject: number
  /** All requests, including waiting ones. */
  total: number
  /** Milliseconds after which a request that still waits is refused. */
  waitMs: number
}

export const defaultGenerationLimits: GenerationLimits = {
  running: 64,
  reserved: 16,
  ofCaller: 2_000,
  ofProject: 6_000,
  total: 10_000,
  waitMs: 600_000,
}

/** The turn of one request. */
export interface GenerationTurn {
  /** Resolves when it may sample. @throws ApiError 429 when it waited too long, the reason of the signal when that aborts */
  readonly granted: Promise<void>
  /** Lets the next one in; safe to call again, and before it was granted. */
  leave(): void
}

export interface GenerationQueue {
  /** @throws ApiError 429 immediately if there are too many requests of its kind */
  enter(flow: Flow, arrival: Arrival, signal: AbortSignal): GenerationTurn
}

export interface Arrival {
  /** Choices of the request. */
  completions: number
  /** True if the response is not urgent: rollouts that are recorded for training. */
  isBulk: boolean
}

/** Choices of one request from which on it is bulk work. */
const maxInteractive = 4

interface Waiter {
  flow: Flow
  weight: number
  grant(): void
}

const retryAfterSeconds = 5

/** Interactive requests and bulk work wait in separate lines. */
interface Line {
  queue: FairQueue<Waiter>
  /** Completions that are sampled. */
  running: number
}

/**
 * Requests are served fairly among keys, and among the projects of a key: however many one key sends, another waits only for running ones.
 * Interactive requests do not wait for rollouts either, even of the same key: some slots are reserved for them, and rollouts have priority for all
 * others.
 */
export function createGenerationQueue(limits: GenerationLimits): GenerationQueue {
  const interactive: Line = { queue: createFairQueue<Waiter>(), running: 0 }
  const bulk: Line = { queue: createFairQueue<Waiter>(), running: 0 }
  const reserved = Math.min(limits.reserved, Math.floor(limits.running / 4))
  const ofCaller = new Map<string, number>()
  const ofProject = new Map<string, number>()
  let present = 0

  function count({ caller, project }: Flow, by: 1 | -1): void {
    present += by
    addTo(ofCaller, caller, by)
    addTo(ofProject, project, by)
  }

  /** The line whose turn it is. */
  function nextLine(): Line | undefined {
    if (interactive.queue.size > 0 && interactive.running < reserved) return interactive
    if (bulk.queue.size > 0 && bulk.running < limits.running - reserved && interactive.running + bulk.running < limits.running) return bulk
    return interactive.queue.size > 0 && interactive.running + bulk.running < limits.running ? interactive : undefined
  }

  function startNext(): void {
    for (let line = nextLine(); line; line = nextLine()) {
      const next = line.queue.next(() => true)
      if (!next) return
      line.running += next.weight
      line.queue.charge(next.flow, next.weight)
      next.grant()
    }
  }

  function assertNotFull({ caller, project }: Flow): void {
    const isFull =
      present >= limits.total ||
      (ofCaller.get(caller) ?? 0) >= limits.ofCaller ||
      (project !== '' && (ofProject.get(project) ?? 0) >= limits.ofProject)
    if (isFull) throw concurrencyLimit()
  }

  return {
    enter(flow, { completions, isBulk }, signal) {
      signal.throwIfAborted()
      assertNotFull(flow)
      count(flow, 1)
      const line = isBulk || completions > maxInteractive ? bulk : interactive
      let state: 'waiting' | 'running' | 'left' = 'waiting'
      let settle: { grant(): void; refuse(reason: unknown): void }
      const granted = new Promise<void>((resolve, reject) => {
        settle = { grant: resolve, refuse: reject }
      })
      // Waiters receive the failure; there may be none.
      granted.catch(() => undefined)
      const waiter: Waiter = {
        flow,
        weight: completions,
        grant() {
          state = 'running'
          clearTimeout(timer)
          settle.grant()
        },
      }
      const leave = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', abandon)
        if (state === 'left') return
        if (state === 'running') line.running -= waiter.weight
        else line.queue.remove(flow, waiter)
        state = 'left'
        count(flow, -1)
        startNext()
      }
      const refuse = (reason: unknown) => {
        settle.refuse(reason)
        leave()
      }
      const abandon = () => {
        if (state === 'waiting') refuse(signal.reason)
      }
      const timer = setTimeout(() => refuse(concurrencyLimit()), limits.waitMs)
      signal.addEventListener('abort', abandon)
      line.queue.push(flow, waiter)
      startNext()
      return { granted, leave }
    },
  }
}

const concurrencyLimit = () => tooManyRequests('Concurrency limit reached for requests', retryAfterSeconds)

function addTo(counts: Map<string, number>, key: string, by: number): void {
  const sum = (counts.get(key) ?? 0) + by
  if (sum === 0) counts.delete(key)
  else counts.set(key, sum)
}
