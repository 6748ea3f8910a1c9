/** Automatic rows are a multiple of it. */
const step = 2048

export interface RowLengthInput {
  /** Tokens of the longest sequence. */
  longest: number
  /** The model's context. */
  most: number
  /** Rows are a multiple of it as well; null for any. */
  chunkSize: number | null
}

/** The automatic length of a row: the longest sequence, rounded up, and no more than the model takes. */
export function automaticRowLength({ longest, most, chunkSize }: RowLengthInput): number {
  const rounded = Math.min(roundUp(Math.max(longest, 1), step), most)
  if (chunkSize === null) return rounded
  return Math.min(roundUp(rounded, chunkSize), most - (most % chunkSize))
}

function roundUp(value: number, multiple: number): number {
  return Math.ceil(value / multiple) * multiple
}
