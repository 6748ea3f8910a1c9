interface Scale {
  domain(): readonly number[]
  ticks(count: number): number[]
}

/**
 * Round numbers within the domain of a scale, about `count`. Empty if its ends are too far apart, or too close, for steps between them to be written.
 */
export function ticksOf(scale: Scale, count: number): number[] {
  const [low = 0, high = 0] = scale.domain()
  const span = Math.abs(high - low)
  return span > 1e-300 && Number.isFinite(span) ? scale.ticks(count) : []
}

/** Ends of an axis for values from `low` to `high`: if all are equal, from 0 to them. */
export function endsOf(low: number, high: number): [number, number] {
  if (low !== high) return [low, high]
  return low === 0 ? [0, 1] : low > 0 ? [0, low] : [low, 0]
}

/** Texts of ticks: formatted by `format`, with as many more digits as needed to distinguish them. */
export function tickTexts(ticks: readonly number[], format: (value: number) => string): string[] {
  const texts = ticks.map(format)
  if (new Set(texts).size === texts.length) return texts
  const step = Math.min(...ticks.slice(1).map((tick, at) => Math.abs(tick - (ticks[at] ?? 0))))
  const digits = Math.min(20, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)))
  return ticks.map((tick) => tick.toFixed(digits))
}

/** One round place says nothing of a distance: instead, the ends are labelled. */
export const orEnds = (ticks: readonly number[], [first, last]: readonly [number, number]) =>
  ticks.length > 1 || first === last ? ticks : [first, last]
