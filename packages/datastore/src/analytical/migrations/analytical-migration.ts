import type { StoreKind } from '../table-definition.ts'

/** One step of the analytical schema, forward only. Its statements may be repeated: a step that broke off is run again. */
export interface AnalyticalMigration {
  /** Number and subject; the order of names is the order of steps. */
  name: string
  statements(kind: StoreKind): string[]
  /** Statements that follow them, about rows that are there: nobody waits until these have changed. */
  inBackground?(kind: StoreKind): string[]
}
