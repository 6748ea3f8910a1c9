const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
/** Readable distances between ticks, in milliseconds. */
const distances = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * second),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * minute),
  ...[1, 2, 3, 6, 12].map((count) => count * hour),
  ...[1, 2, 7, 14, 30, 90, 365].map((count) => count * day),
]

/** Round times from one to another, both in milliseconds: no more than `most`. Of less than a second there is none. */
export function timeTicks(fromMs: number, toMs: number, most: number): number[] {
  const distance = distances.find((one) => (toMs - fromMs) / one <= most) ?? distances.at(-1)!
  const first = Math.ceil(fromMs / distance) * distance
  const count = Math.max(0, Math.floor((toMs - first) / distance) + 1)
  return Array.from({ length: Math.min(count, most + 1) }, (_, at) => first + at * distance)
}

/** A time since a start, in milliseconds, for a tick: `90 s`, `15 min`, `2 h`, `3 d`. */
export function elapsedText(ms: number): string {
  if (ms < 2 * minute) return `${Math.round(ms / second)} s`
  if (ms < 2 * hour) return `${Number((ms / minute).toFixed(1))} min`
  return ms < 2 * day ? `${Number((ms / hour).toFixed(1))} h` : `${Number((ms / day).toFixed(1))} d`
}
