const units = [
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'min' },
  { ms: 1_000, name: 's' },
  { ms: 1, name: 'ms' },
] as const
const factors = [1, 2, 5, 10, 20, 50] as const
/** Of clocks: parts of an hour and of a minute. */
const clockFactors = [1, 2, 5, 10, 15, 30] as const

export interface Tick {
  /** From the start of the trace. */
  ms: number
  text: string
}

/**
 * Times at which a timeline has its lines: round ones, in one unit, from 0.
 * @param totalMs duration of the whole
 * @param most how many fit; may be fractional
 */
export function timelineTicks(totalMs: number, most: number): Tick[] {
  if (!(totalMs > 0)) return [{ ms: 0, text: '0 s' }]
  const step = stepOf(totalMs / Math.max(1, most - 1))
  const unit = units.find(({ ms }) => step >= ms) ?? { ms: 1, name: 'ms' }
  const ticks: Tick[] = []
  for (let at = 0; at * step <= totalMs; at++)
    ticks.push({ ms: at * step, text: `${Number(((at * step) / unit.ms).toPrecision(6))} ${unit.name}` })
  return ticks
}

/** The least round step of at least this length. */
function stepOf(leastMs: number): number {
  for (const { ms } of units.toReversed()) {
    for (const factor of ms >= 60_000 ? clockFactors : ms === 1_000 ? [...factors.slice(0, 4), 15, 30] : [...factors, 100, 200, 500])
      if (factor * ms >= leastMs) return factor * ms
  }
  const hours = leastMs / 3_600_000
  const power = 10 ** Math.floor(Math.log10(hours))
  return ([1, 2, 5, 10].find((factor) => factor * power >= hours) ?? 10) * power * 3_600_000
}
