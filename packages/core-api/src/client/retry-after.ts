/** Milliseconds that a server asks to wait, from `Retry-After` in seconds or as a date. Undefined when the header is absent or unreadable. */
export function parseRetryAfter(headers: Headers, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim()
  if (!text) return undefined
  const seconds = Number(text)
  const delayMs = Number.isNaN(seconds) ? Date.parse(text) - nowMs : seconds * 1000
  return Number.isFinite(delayMs) ? Math.max(0, delayMs) : undefined
}
