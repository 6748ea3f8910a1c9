import { isRow } from './parse-rows.ts'

export const maxColumns = 30

/** The columns of rows, in order of first occurrence, and how many are omitted. */
export function columnsOf(values: readonly unknown[]): { columns: string[]; leftOut: number } {
  const names = new Set(values.flatMap((value) => (isRow(value) ? Object.keys(value) : [])))
  return { columns: [...names].slice(0, maxColumns), leftOut: Math.max(0, names.size - maxColumns) }
}

/** The value of a column. Rows have no prototype members as columns. */
export const cellOf = (value: unknown, column: string): unknown =>
  isRow(value) && Object.hasOwn(value, column) ? value[column] : undefined
