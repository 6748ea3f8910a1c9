import type { HrTime } from '@opentelemetry/api'

const two16 = 0x10000
const two32 = 0x100000000

/** Nanoseconds since 1970 as unsigned 64 bits in two halves. Times before 1970 and invalid numbers count as 0. */
export function toUnixNano([seconds, nanos]: HrTime): { low: number; high: number } {
  const whole = Math.trunc(seconds)
  const rest = Math.trunc(nanos)
  if (whole >= 0 && whole < two32 && rest >= 0 && rest < two32) return splitExactly(whole, rest)
  if (!Number.isFinite(whole) || !Number.isFinite(rest)) return { low: 0, high: 0 }
  const total = BigInt(whole) * 1_000_000_000n + BigInt(rest)
  const bits = total < 0n ? 0n : BigInt.asUintN(64, total)
  return { low: Number(bits & 0xffffffffn), high: Number(bits >> 32n) }
}

/** Multiplies by a billion in two steps, so that no step exceeds what a number holds exactly. */
function splitExactly(seconds: number, nanos: number): { low: number; high: number } {
  const upper = Math.floor(seconds / two16) * 1_000_000_000
  const lower = (seconds % two16) * 1_000_000_000 + nanos
  const low = (upper % two16) * two16 + (lower % two32)
  return { low: low >>> 0, high: Math.floor(upper / two16) + Math.floor(lower / two32) + (low >= two32 ? 1 : 0) }
}

const hasIsRemote = 0x100
const isRemote = 0x200

/** The flags of a span or link: those of the trace, and whether the parent or the linked span ran elsewhere. */
export function toSpanFlags(traceFlags: number, remote: boolean | undefined): number {
  return (traceFlags & 0xff) | hasIsRemote | (remote ? isRemote : 0)
}
