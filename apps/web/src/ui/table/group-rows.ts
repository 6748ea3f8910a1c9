/** Rows with the same value, under one line that shows it. */
export interface RowGroup<Row> {
  value: string
  rows: readonly Row[]
}

/** A line of a grid: a row, or the head of a group. */
export type Line<Row> = { kind: 'row'; row: Row } | { kind: 'group'; group: RowGroup<Row>; isFolded: boolean }

/** The rows by a value, in order of each value's first occurrence. */
export function groupRows<Row>(rows: readonly Row[], valueOf: (row: Row) => string): RowGroup<Row>[] {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const value = valueOf(row)
    const same = groups.get(value)
    if (same) same.push(row)
    else groups.set(value, [row])
  }
  return [...groups].map(([value, same]) => ({ value, rows: same }))
}

/** The heads of groups, each with its rows below it unless it is folded. */
export function linesOf<Row>(groups: readonly RowGroup<Row>[], folded: ReadonlySet<string>): Line<Row>[] {
  const lines: Line<Row>[] = []
  for (const group of groups) {
    const isFolded = folded.has(group.value)
    lines.push({ kind: 'group', group, isFolded })
    if (!isFolded) for (const row of group.rows) lines.push({ kind: 'row', row })
  }
  return lines
}
