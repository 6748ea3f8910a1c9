/** Milliseconds as a readable text. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(2)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes} min ${Math.floor((ms % 60_000) / 1_000)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The same as a value of an axis, without zeros at its end: `2.5 s`, `10 s`, `2 min`, and `0 s` for nothing. */
export function shortDuration(ms: number): string {
  if (ms === 0) return '0 s'
  return formatDuration(ms)
    .replace(/\.(\d)0 s$/, (_, tenth) => (tenth === '0' ? ' s' : `.${tenth} s`))
    .replace(/(min|h) 0 (?:s|min)$/, '$1')
}
