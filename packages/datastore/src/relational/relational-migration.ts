import type { Kysely } from 'kysely'

export type RelationalKind = 'sqlite' | 'postgres'

/** One step of the schema, forward only. Runs in a transaction together with the entry in the list of applied migrations. */
export interface RelationalMigration {
  /** Number and subject; the order of names is the order of steps. */
  name: string
  up(db: Kysely<unknown>, kind: RelationalKind): Promise<void>
}
