/** The values of a series, one for each part of a time. */
export interface Line {
  /** Class that colours it. */
  tone: `series-${number}`
  /** Null where a part has none: the line is broken there. */
  values: readonly (number | null)[]
}

export interface ValueRange {
  low: number
  high: number
}

/** Room above and below a line, so that no point is cut, in the units of the height. */
const pad = 4

/**
 * A line and its points as path data, in a box that is as many units wide as there are values. Points are lines of no length, which keep their
 * shape where the box is stretched.
 */
export function pathsOf(
  values: readonly (number | null)[],
  { range: { low, high }, height }: { range: ValueRange; height: number },
): { line: string; dots: string } {
  const y = (value: number) => height - pad - (high === low ? 0.5 : (value - low) / (high - low)) * (height - 2 * pad)
  const points = values.map((value, at) => (value === null ? undefined : `${at + 0.5} ${Math.round(y(value) * 100) / 100}`))
  const known = points.filter((point) => point !== undefined)
  const line = points.map((point, at) => point && `${points[at - 1] === undefined ? 'M' : 'L'} ${point}`).filter(Boolean)
  return { line: line.join(' '), dots: known.map((point) => `M ${point} h 0`).join(' ') }
}
