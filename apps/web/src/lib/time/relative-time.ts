const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const
const maxAgoMs = 7 * 86_400_000

/** How long ago a time was, both in milliseconds, for a column: `13 s ago`. Undefined for one that lies ahead, or over a week back. */
export function shortAgo(time: number, now: number): string | undefined {
  const passed = now - time
  if (passed < -1_000 || passed >= maxAgoMs) return undefined
  const [unit, length] = units.find(([, ms]) => passed >= ms) ?? ['s', 1_000]
  return `${Math.max(0, Math.trunc(passed / length))} ${unit} ago`
}
