/**
 * A length of time for people: `850 µs`, `12 ms`, `1.52 s`, `3 m 04 s`, `2 h 05 m`. Truncated, not rounded, as the server counts whole milliseconds.
 * Negative when a clock went back.
 */
export function formatDuration(micros: number): string {
  if (micros < 0) return `-${formatDuration(-micros)}`
  const whole = Math.round(micros)
  if (whole < 1_000) return `${whole} µs`
  if (whole < 10_000) return `${trimmed(Math.floor(whole / 100) / 10, 1)} ms`
  if (whole < 1_000_000) return `${Math.floor(whole / 1_000)} ms`
  const seconds = Math.floor(whole / 1_000_000)
  if (seconds < 60) return `${(Math.floor(whole / 10_000) / 100).toFixed(2)} s`
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} m ${padded(seconds % 60)} s`
  return `${Math.floor(seconds / 3_600)} h ${padded(Math.floor((seconds % 3_600) / 60))} m`
}

/** Bytes in powers of 1024: `512 B`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  return `${trimmed(bytes / 1024 ** power, 1)} ${units[power]}`
}

function trimmed(value: number, digits: number): string {
  return value.toFixed(digits).replace(/\.0$/, '')
}

function padded(value: number): string {
  return String(value).padStart(2, '0')
}
