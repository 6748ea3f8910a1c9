import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openPostgres, openSqlite, postgresPool } from '@heddle/datastore'
import { createIdentity, type ProjectScope, sqlIdentityStore } from '@heddle/identity'
import { createVirtualClock, type VirtualClock } from '@heddle/testing'
import { inject } from 'vitest'
import { createJobs, type Jobs, type JobsDeps } from '../jobs.ts'
import type { JobsStore } from '../jobs-store.ts'
import { sqlJobsStore, type JobsStoreOptions } from '../jobs-store.sql.ts'
import type { Worker, WorkerOptions } from '../start-worker.ts'

export type Dialect = 'sqlite' | 'postgres'

export interface TestDatabase {
  /** Of the file or the database, for a further process. */
  url: string
  database: Database
  /** A further connection to the same data, as another server has. */
  connect(): Promise<Database>
  close(): Promise<void>
}

/** An empty relational store. */
export async function newTestDatabase(dialect: Dialect): Promise<TestDatabase> {
  return dialect === 'sqlite' ? newFile() : newDatabase()
}

async function newFile(): Promise<TestDatabase> {
  const folder = await mkdtemp(join(inject('storesFolder'), 'jobs-'))
  const url = join(folder, 'heddle.db')
  return withConnections(
    url,
    () => openSqlite(url),
    () => rm(folder, { recursive: true }),
  )
}

async function newDatabase(): Promise<TestDatabase> {
  const name = `jobs_${randomUUID().replaceAll('-', '')}`
  const server = postgresPool(inject('postgresUrl'))
  await server.query(`CREATE DATABASE ${name}`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return withConnections(
    url.href,
    () => openPostgres(url.href),
    async () => {
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`)
      await server.end()
    },
  )
}

async function withConnections(url: string, open: () => Promise<Database>, remove: () => Promise<void>): Promise<TestDatabase> {
  const opened: Database[] = []
  const connect = async () => {
    const database = await open()
    opened.push(database)
    return database
  }
  return {
    url,
    database: await connect(),
    connect,
    async close() {
      for (const database of opened) await database.destroy()
      await remove()
    },
  }
}

/** The scope of a project, as a request of somebody with access has it. */
export function aProject(database: Database, id: string, signal = new AbortController().signal): Promise<ProjectScope> {
  const identity = createIdentity({ store: sqlIdentityStore(database), clock: () => 0 })
  return identity.openForWork(id, { caller: 'test', signal })
}

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
}

/** Servers that share a virtual clock. */
export interface TestServers {
  /** A server on this store. */
  start(database: Database, options?: Partial<JobsDeps> & Partial<JobsStoreOptions>): TestJobs
}

const stepMs = 50

export function testServers(clock: VirtualClock = createVirtualClock()): TestServers {
  let pending = 0

  /** Resolves when no store is at work, and nothing that waited for one. */
  async function idle(): Promise<void> {
    for (let quiet = 0; quiet < 5; quiet = pending === 0 ? quiet + 1 : 0) await new Promise((resolve) => void setImmediate(resolve))
  }

  function counting(store: JobsStore): JobsStore {
    const count = <T>(work: Promise<T>) => {
      pending++
      return work.finally(() => pending--)
    }
    return new Proxy(store, {
      get(target, name: keyof JobsStore) {
        const member = target[name]
        return typeof member === 'function'
          ? (...args: never[]) => count((member as (...args: never[]) => Promise<unknown>)(...args))
          : member
      },
    })
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
      const store = counting(sqlJobsStore({ database, queue, ...(maxWaiting !== undefined && { maxWaiting }) }))
      const log = { info: () => {}, error: (fields: object) => void errors.push(fields) }
      const jobs = createJobs({ store, clock: now, timing: clock, newId: randomUUID, log, ...options })
      return {
        jobs,
        errors,
        now,
        advance,
        project: (id) => aProject(database, id),
        startWorker: (options) =>
          jobs.startWorker({ concurrency: 2, openProject: (id, signal) => aProject(database, id, signal), ...options }),
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
