/** Encoded rows as one piece of memory, without a copy where each begins where the one before it ends. */
export function joinRows(rows: readonly Uint8Array[]): Uint8Array {
  const [first] = rows
  const follows = (row: Uint8Array, before: Uint8Array) =>
    row.buffer === before.buffer && row.byteOffset === before.byteOffset + before.byteLength
  const isWhole = rows.every((row, index) => index === 0 || follows(row, rows[index - 1] as Uint8Array))
  if (first === undefined || !isWhole) return Buffer.concat(rows)
  const bytes = rows.reduce((sum, row) => sum + row.byteLength, 0)
  return new Uint8Array(first.buffer, first.byteOffset, bytes)
}
