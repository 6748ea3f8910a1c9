const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** Made with the first time that is shown. */
let format: Intl.RelativeTimeFormat | undefined

/** How long before or after a moment, both in milliseconds: `3 hours ago`, `yesterday`; `just now` within a minute. */
export function relativeTime(time: number, now: number): string {
  const passed = time - now
  const [unit, length] = units.find(([, ms]) => Math.abs(passed) >= ms) ?? []
  if (unit === undefined) return 'just now'
  format ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return format.format(Math.trunc(passed / length), unit)
}

const shortUnits = [
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
  const [unit, length] = shortUnits.find(([, ms]) => passed >= ms) ?? ['s', 1_000]
  return `${Math.max(0, Math.trunc(passed / length))} ${unit} ago`
}
