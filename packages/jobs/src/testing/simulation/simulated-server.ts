import { randomUUID } from 'node:crypto'
import { StoreError } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { VirtualClock } from '@heddle/testing'
import { createJobs, type Jobs } from '../../jobs.ts'
import type { JobsStore } from '../../store/jobs-store.ts'
import { mortalTiming } from '../mortal-timing.ts'
import { wrapStore } from '../wrap-store.ts'
import { simulatedHandler, sleep } from './simulated-handler.ts'

export interface ServerFaults {
  /** Share of the calls of the store that fail; half of them after they were done. */
  failing: number
  /** Milliseconds that a call takes at most. */
  slowestMs: number
}

/** A server with one worker, which can be killed. */
export interface SimulatedServer {
  jobs: Jobs
  fail(faults: ServerFaults): void
  /** Sets its wall clock so many hours off. */
  setClock(hours: number): void
  /** Ends it at once: nothing that it began continues. */
  kill(): void
  stop(): Promise<void>
}

export interface SimulatedServerOptions {
  at: number
  clock: VirtualClock
  random: () => number
  store: JobsStore
  openProject: (projectId: string, signal: AbortSignal) => Promise<ProjectScope>
}

const leaseMs = 12_000

export function simulatedServer({ at, clock, random, store, openProject }: SimulatedServerOptions): SimulatedServer {
  const timing = mortalTiming(clock)
  let faults: ServerFaults = { failing: 0, slowestMs: 1 }
  let isDead = false
  let offsetMs = 0

  async function around<T>(call: () => Promise<T>): Promise<T> {
    const { failing, slowestMs } = faults
    const fault = random() < failing ? (random() < 0.5 ? 'before' : 'after') : 'none'
    await sleep(timing, random() * slowestMs)
    if (isDead) return new Promise(() => {})
    if (fault === 'before') throw new StoreError('unavailable', 'the simulated database is away')
    const value = await call()
    await sleep(timing, random() * slowestMs)
    if (isDead) return new Promise(() => {})
    if (fault === 'after') throw new StoreError('unavailable', 'the answer of the simulated database was lost')
    return value
  }

  const jobs = createJobs({
    store: wrapStore(store, around),
    clock: () => Math.round((clock.wallClock() + offsetMs) * 1000),
    timing,
    newId: randomUUID,
    log: { info: () => {}, error: () => {} },
  })
  const worker = jobs.startWorker({
    kinds: { a: simulatedHandler(timing) },
    concurrency: 2 + at,
    leaseMs,
    graceMs: 3_000,
    pollMs: 4_000,
    openProject,
  })
  return {
    jobs,
    fail: (given) => void (faults = given),
    setClock: (hours) => void (offsetMs = hours * 3_600_000),
    kill() {
      isDead = true
      timing.die()
    },
    stop: () => worker.stop({ drainMs: 1_000 }),
  }
}
