import type { Kysely } from 'kysely'

export type RelationalKind = 'sqlite' | 'postgres'

/** One step of the schema, forward only. Runs in a transaction together with its record. */
export interface RelationalMigration {
  /** Number and subject; the order of names is the order of steps. */
  name: string
  up(db: Kysely<unknown>, kind: RelationalKind): Promise<void>
}
