import { createHash } from 'node:crypto'

const bits = 48

/**
 * True for the share of calls that a monitor scores: deterministic for each call, and calls chosen at a low rate are also chosen at a higher one.
 * Monitors choose independently of each other.
 */
export function isSampled(monitor: string, callId: string, rate: number): boolean {
  const hash = createHash('sha256').update(`${monitor}\0${callId}`).digest()
  return hash.readUIntBE(0, bits / 8) < rate * 2 ** bits
}
