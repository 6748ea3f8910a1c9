import type { RowBlock } from '../analytical.ts'

/** Rows in RowBinary with the names of their columns in order. */
export interface NamedRows extends RowBlock {
  columns: readonly string[]
}
