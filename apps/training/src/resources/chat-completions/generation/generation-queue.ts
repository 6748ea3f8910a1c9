import { tooManyRequests } from '@heddle/core-api/internal'
import { createFairQueue, type FairQueue, type Flow } from '@heddle/service-kit'

export interface GenerationLimits {
  /** Completions that are sampled at a time. A request that begins may bring it above, by its choices. */
  running: number
  /** Of them, those that are kept for interactive requests, and at most a quarter of them. */
  reserved: number
  /** Requests of one API key, those that wait included. */
  ofCaller: number
  /** Requests for models of one project, those that wait included. */
  ofProject: number
  /** All requests, those that wait included. */
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
  /** @throws ApiError 429 at once when too many requests of its kind are there */
  enter(flow: Flow, arrival: Arrival, signal: AbortSignal): GenerationTurn
}

export interface Arrival {
  /** Choices of the request. */
  completions: number
  /** True where nobody waits for this one response: rollouts that are recorded for training. */
  isBulk: boolean
}

/** Choices of one request from which on it is bulk work. */
const mostInteractive = 4

interface Waiter {
  flow: Flow
  weight: number
  grant(): void
}

const retryAfterSeconds = 5

/** Interactive requests and bulk work wait in lines of their own. */
interface Line {
  queue: FairQueue<Waiter>
  /** Completions that are sampled. */
  running: number
}

/**
 * Requests are served fairly among keys, and among the projects of a key: however many one sends, another waits for what runs and no more. Interactive ones do
 * not wait for rollouts either, also those of the same key: some places are theirs alone, and all others are first for rollouts.
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
      const line = isBulk || completions > mostInteractive ? bulk : interactive
      let state: 'waiting' | 'running' | 'left' = 'waiting'
      let settle: { grant(): void; refuse(reason: unknown): void }
      const granted = new Promise<void>((resolve, reject) => {
        settle = { grant: resolve, refuse: reject }
      })
      // Those who wait for it get the failure; nobody may be waiting.
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
