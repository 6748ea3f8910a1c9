import { round } from './percentiles.ts'

/** `median (lowest–highest)` of figures of several turns; of an even number of them the lower one in the middle. Empty for none. */
export function spread(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const [lowest, highest, median] = [sorted[0], sorted.at(-1), sorted[Math.ceil(sorted.length / 2) - 1]]
  if (lowest === undefined || highest === undefined || median === undefined) return ''
  return `${round(median)} (${round(lowest)}–${round(highest)})`
}
