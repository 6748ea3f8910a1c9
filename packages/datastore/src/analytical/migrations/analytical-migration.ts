import type { StoreKind } from '../table-definition.ts'

/** One step of the analytical schema, forward only. Its statements are idempotent: a failed step is run again. */
export interface AnalyticalMigration {
  /** Number and subject; the order of names is the order of steps. */
  name: string
  statements(kind: StoreKind): string[]
  /** Statements that run afterwards in the background and rewrite existing rows. */
  inBackground?(kind: StoreKind): string[]
}
