import { Kysely, SqliteDialect } from 'kysely'
import Libsql from 'libsql'
import type { RelationalStore } from '../relational/database.ts'
import { migrateDatabase } from '../relational/migrate-database.ts'
import type { Tables } from '../relational/tables.ts'

/** An empty SQLite store that is gone when it is closed, and whose statements wait for no disk. */
export async function openMemoryDatabase(): Promise<RelationalStore> {
  const database = new Kysely<Tables>({ dialect: new SqliteDialect({ database: new Libsql(':memory:') }) })
  await migrateDatabase(database, 'sqlite')
  return Object.assign(database, { of: () => database })
}
