const maxBins = 12

/** Values of one range, or of one value where the ends are equal. */
export interface Bin {
  low: number
  high: number
  count: number
}

/** A bin for each different value where there are few, else equally wide ranges. Empty without values. */
export function toBins(values: readonly number[]): Bin[] {
  const distinct = [...new Set(values)].toSorted((one, other) => one - other)
  if (distinct.length <= maxBins)
    return distinct.map((value) => ({ low: value, high: value, count: values.filter((one) => one === value).length }))
  const [low, high] = [distinct[0] ?? 0, distinct.at(-1) ?? 0]
  // Divided first, since the distance of two doubles may be infinite.
  const width = high / maxBins - low / maxBins
  const bins = Array.from({ length: maxBins }, (_, at): Bin => ({ low: low + at * width, high: low + (at + 1) * width, count: 0 }))
  for (const value of values) bins[Math.min(maxBins - 1, Math.max(0, Math.floor(value / width - low / width)))]!.count++
  return bins
}
