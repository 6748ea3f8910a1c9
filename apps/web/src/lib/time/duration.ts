/** Milliseconds as a readable text, truncated, not rounded, as the server counts whole milliseconds: 0 means less than one. */
export function formatDuration(ms: number): string {
  // Rounded to whole microseconds first, since a product such as 1.001 * 1000 may be a little too small.
  const micros = Math.round(ms * 1_000)
  if (micros >= 0 && micros < 1_000) return '<1 ms'
  const whole = Math.trunc(micros / 1_000)
  if (whole < 1_000) return `${whole} ms`
  if (whole < 60_000) return `${(Math.floor(whole / 10) / 100).toFixed(2)} s`
  const minutes = Math.floor(whole / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((whole % 60_000) / 1_000)} s`
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`
}

/** The same as a value of an axis, in the unit of the highest value: `2.5 s`, `10 s`, `3 min`. */
export function shortDuration(ms: number, longestMs = ms): string {
  const [size, unit] =
    longestMs < 1_000 ? [1, 'ms'] : longestMs < 600_000 ? [1_000, 's'] : longestMs < 7_200_000 ? [60_000, 'min'] : [3_600_000, 'h']
  return `${Number((ms / size).toFixed(2))} ${unit}`
}
