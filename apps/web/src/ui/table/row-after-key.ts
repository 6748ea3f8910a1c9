/** The row that a key leads to from the one at `at`, or undefined for another key. `at` is below 0 where none is chosen yet. */
export function rowAfterKey(key: string, at: number, { count, pageRows }: { count: number; pageRows: number }): number | undefined {
  if (count === 0) return undefined
  const within = (row: number) => Math.min(count - 1, Math.max(0, row))
  switch (key) {
    case 'ArrowDown':
      return within(at + 1)
    case 'ArrowUp':
      return within(at - 1)
    case 'PageDown':
      return within(at + pageRows)
    case 'PageUp':
      return within(at - pageRows)
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
