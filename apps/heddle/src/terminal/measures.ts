/** A length of time for people: `850 µs`, `12 ms`, `1.52 s`, `3 m 04 s`, `2 h 05 m`. Negative when a clock went back. */
export function formatDuration(micros: number): string {
  if (micros < 0) return `-${formatDuration(-micros)}`
  if (micros < 1_000) return `${Math.round(micros)} µs`
  if (micros < 999_500) return `${trimmed(micros / 1_000, micros < 10_000 ? 1 : 0)} ms`
  if (micros < 59_995_000) return `${(micros / 1_000_000).toFixed(2)} s`
  const seconds = Math.round(micros / 1_000_000)
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
