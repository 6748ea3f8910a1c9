import { PostgresAdapter } from 'kysely'
import type { Database } from './database.ts'
import type { RelationalKind } from './relational-migration.ts'

/** The database of the store, for the few statements that the two write differently. */
export function relationalKind(database: Database): RelationalKind {
  return database.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'
}
