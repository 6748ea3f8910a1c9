/** Milliseconds as a readable text, cut to what is shown, as the server counts whole milliseconds. */
export function formatDuration(ms: number): string {
  // Whole microseconds first: what was computed, such as 1.001 * 1000, may be a little less than it should be.
  const whole = Math.trunc(Math.round(ms * 1_000) / 1_000)
  if (whole < 1_000) return `${whole} ms`
  if (whole < 60_000) return `${(Math.floor(whole / 10) / 100).toFixed(2)} s`
  const minutes = Math.floor(whole / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((whole % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The same as a value of an axis, without zeros at its end: `2.5 s`, `10 s`, `2 min`, and `0 s` for nothing. */
export function shortDuration(ms: number): string {
  if (ms === 0) return '0 s'
  return formatDuration(ms)
    .replace(/\.(\d)0 s$/, (_, tenth) => (tenth === '0' ? ' s' : `.${tenth} s`))
    .replace(/(min|h) 0 (?:s|min)$/, '$1')
}
