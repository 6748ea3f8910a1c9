const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** A readable number of bytes. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const digits = power === 0 ? 0 : 1
  return `${(bytes / 1024 ** power).toLocaleString('en', { maximumFractionDigits: digits })} ${units[power]}`
}
