/** Rows that passed or failed in two runs, one trial each. */
export interface PairedCounts {
  both: number
  onlyFirst: number
  onlySecond: number
  neither: number
}

/** Number of rows. */
export function rowsOf({ both, onlyFirst, onlySecond, neither }: PairedCounts): number {
  return both + onlyFirst + onlySecond + neither
}
