/** Prints rows below their headings: texts to the left, numbers to the right. */
export function printTable(rows: readonly Record<string, string | number>[]): void {
  const headings = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => headings.map((heading) => show(row[heading] ?? '')))
  const widths = headings.map((heading, column) => Math.max(heading.length, ...cells.map((row) => row[column]?.length ?? 0)))
  const isText = headings.map((heading) => rows.some((row) => typeof row[heading] === 'string'))
  const line = (row: readonly string[]) =>
    row.map((cell, column) => (isText[column] ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
  for (const row of [headings, ...cells]) console.log(line(row).join('  ').trimEnd())
}

function show(value: string | number): string {
  if (typeof value === 'string') return value
  return Math.abs(value) >= 1000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}
