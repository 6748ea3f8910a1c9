const units = [
  ['year', 365 * 86_400_000],
  ['month', 30 * 86_400_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

/** How long before or after a moment, both in milliseconds: `3 hours ago`, `yesterday`; `just now` within a minute. */
export function relativeTime(time: number, now: number): string {
  const passed = time - now
  const [unit, length] = units.find(([, ms]) => Math.abs(passed) >= ms) ?? []
  return unit === undefined ? 'just now' : format.format(Math.trunc(passed / length), unit)
}
