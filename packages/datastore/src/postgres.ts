// PostgreSQL and its driver: to be loaded where a database of it is configured, since most servers have none.
export { postgresLock } from './locks/postgres-lock.ts'
export { examinePostgres, listPostgresContents } from './relational/examine-postgres.ts'
export { openPostgres } from './relational/postgres-database.ts'
export { postgresPool } from './relational/postgres-pool.ts'
