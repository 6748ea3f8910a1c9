import { randomUUID } from 'node:crypto'
import { type RelationalStore, StoreError } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import { createVirtualClock, type VirtualClock } from '@heddle/testing'
import { createJobs, type Jobs, type JobsDeps } from '../jobs.ts'
import { type JobsStoreOptions, sqlJobsStore } from '../store/jobs-store.sql.ts'
import type { Worker, WorkerOptions } from '../worker/start-worker.ts'
import { mortalTiming } from './mortal-timing.ts'
import { aProject } from './test-database.ts'
import { wrapStore } from './wrap-store.ts'

export interface TestJobs {
  jobs: Jobs
  project(id: string): Promise<ProjectScope>
  /** With two jobs at a time, unless told otherwise. */
  startWorker(options: Partial<WorkerOptions> & Pick<WorkerOptions, 'kinds'>): Worker
  /** Lets so much virtual time pass, in which the store takes none. */
  advance(ms: number): Promise<void>
  /** Lets virtual time pass until this is true. @throws Error after ten virtual minutes */
  advanceUntil(isTrue: () => boolean | Promise<boolean>): Promise<void>
  /** Virtual time as rows have it. */
  now(): number
  /** What was logged as an error. */
  errors: object[]
  setDatabase(state: DatabaseState): void
  /** Ends the server as a kill does: nothing that it began continues. */
  crash(): void
}

/** How a server reaches its database: `gone` answers nothing. */
export type DatabaseState = 'well' | 'failing' | 'gone'

/** Servers that share a virtual clock. */
export interface TestServers {
  /** A server on this store. */
  start(database: RelationalStore, options?: Partial<JobsDeps> & Partial<JobsStoreOptions>): TestJobs
}

const stepMs = 100

export function testServers(clock: VirtualClock = createVirtualClock()): TestServers {
  let pending = 0

  /** Resolves when no store is at work, and nothing that waited for one. */
  async function idle(): Promise<void> {
    for (let quiet = 0; quiet < 5; quiet = pending === 0 ? quiet + 1 : 0) await new Promise((resolve) => void setImmediate(resolve))
  }

  const counted = <T>(call: () => Promise<T>): Promise<T> => {
    pending++
    return call().finally(() => pending--)
  }

  async function advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= stepMs) {
      await idle()
      await clock.advance(Math.min(stepMs, left))
    }
    await idle()
  }

  return {
    start(database, { queue = 'tests', maxWaiting, ...options } = {}) {
      const errors: object[] = []
      const now = () => clock.wallClock() * 1000
      const timing = mortalTiming(clock)
      let reach: DatabaseState = 'well'
      const sql = sqlJobsStore({ database, queue, ...(maxWaiting !== undefined && { maxWaiting }) })
      const store = wrapStore(wrapStore(sql, counted), (call) => {
        if (reach === 'gone') return new Promise(() => {})
        if (reach === 'failing') return Promise.reject(new StoreError('unavailable', 'cannot reach the database'))
        return call()
      })
      const log = { info: () => {}, error: (fields: object) => void errors.push(fields) }
      const jobs = createJobs({ store, clock: now, timing, newId: randomUUID, log, ...options })
      return {
        jobs,
        errors,
        now,
        setDatabase: (state) => void (reach = state),
        crash() {
          reach = 'gone'
          timing.die()
        },
        advance,
        project: (id) => aProject(database, id),
        startWorker: (options) =>
          jobs.startWorker({ concurrency: 2, openProject: (id, signal) => counted(() => aProject(database, id, signal)), ...options }),
        async advanceUntil(isTrue) {
          for (let ms = 0; ms < 600_000; ms += stepMs) {
            await advance(stepMs)
            if (await isTrue()) return
          }
          throw new Error('not so within ten minutes')
        },
      }
    },
  }
}
