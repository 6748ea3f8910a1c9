import { UsageError } from './usage-error.ts'

/** The integer that a flag names, from `from` (default 1) to `to`. @throws UsageError that names the flag */
export function parseWhole(flag: string, text: string, { from = 1, to }: { from?: number; to: number }): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (!(value >= from && value <= to)) throw new UsageError(`${flag} must be an integer from ${from} to ${to}, got ${JSON.stringify(text)}`)
  return value
}
