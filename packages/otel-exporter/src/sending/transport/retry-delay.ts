const firstDelayMs = 500
const longestDelayMs = 5000

/** Milliseconds before the next attempt: exponential backoff with full jitter, from half a second to five. */
export function jitteredDelay(failures: number, random: () => number): number {
  return random() * Math.min(longestDelayMs, firstDelayMs * 2 ** (failures - 1))
}

/** Milliseconds that a `Retry-After` asks for, given as seconds or as a date. Undefined when it says neither. */
export function parseRetryAfter(value: string | undefined, wallClockMs: number): number | undefined {
  const text = value?.trim() ?? ''
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const date = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - wallClockMs)
}
