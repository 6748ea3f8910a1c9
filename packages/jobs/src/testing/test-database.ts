import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type RelationalStore, openSqlite } from '@heddle/datastore'
import { openPostgres } from '@heddle/datastore/postgres'
import { newPostgresDatabase } from '@heddle/datastore/testing'
import { createIdentity, type ProjectScope, sqlIdentityStore } from '@heddle/identity'
import '@heddle/testing'
import { inject } from 'vitest'

export type Dialect = 'sqlite' | 'postgres'

export interface TestDatabase {
  /** Address of the file or the database, for a further process. */
  url: string
  database: RelationalStore
  /** A further connection to the same data, as another server has. */
  connect(): Promise<RelationalStore>
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
  const { url, drop } = await newPostgresDatabase(inject('postgresUrl'))
  return withConnections(url, () => openPostgres(url), drop)
}

async function withConnections(url: string, open: () => Promise<RelationalStore>, remove: () => Promise<void>): Promise<TestDatabase> {
  const opened: RelationalStore[] = []
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

/** The scope of a project, as for a request with access. */
export function aProject(database: RelationalStore, id: string, signal = new AbortController().signal): Promise<ProjectScope> {
  return projectsOf(database)(id, signal)
}

/** The same for many scopes: an identity keeps room for thousands of projects, which takes longer to make than to look a project up. */
export function projectsOf(database: RelationalStore): (id: string, signal?: AbortSignal) => Promise<ProjectScope> {
  const identity = createIdentity({ store: sqlIdentityStore(database), clock: () => 0 })
  return (id, signal = new AbortController().signal) => identity.openForWork(id, { caller: 'test', signal })
}
