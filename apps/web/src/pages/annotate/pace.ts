/** Times of the last items that count. */
const maxTimes = 20
const fewestTimes = 3
/** After a longer time, the user was probably away. */
const longestMs = 600_000

/** Adds a time to the user's times per item. */
export const withTime = (times: readonly number[], tookMs: number): readonly number[] =>
  tookMs > longestMs ? times : [...times, tookMs].slice(-maxTimes)

/** How long the items that are left will take at the pace of the last ones, in words. Undefined while too few are done. */
export function timeLeft(times: readonly number[], itemsLeft: number): string | undefined {
  if (times.length < fewestTimes || itemsLeft === 0) return undefined
  const sorted = times.toSorted((one, other) => one - other)
  const minutes = Math.ceil(((sorted[Math.floor(sorted.length / 2)] ?? 0) * itemsLeft) / 60_000)
  return minutes < 120 ? `about ${minutes} min` : `about ${Math.round(minutes / 60).toLocaleString('en')} h`
}
