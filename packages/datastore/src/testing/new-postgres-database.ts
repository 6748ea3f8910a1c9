import { randomUUID } from 'node:crypto'
import { postgresPool } from '../relational/postgres-pool.ts'

export interface PostgresTestDatabase {
  name: string
  url: string
  /** Drops it, also while it has connections. */
  drop(): Promise<void>
}

/** An empty database on a server. */
export async function newPostgresDatabase(serverUrl: string): Promise<PostgresTestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const server = postgresPool(serverUrl)
    await server.query(statement).finally(() => server.end())
  }
  await run(`CREATE DATABASE ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { name, url: url.href, drop: () => run(`DROP DATABASE ${name} WITH (FORCE)`) }
}
