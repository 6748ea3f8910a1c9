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

/** How a value of an axis is written. `most` is the highest value of the axis, which may choose the unit. */
export type TickFormat = (value: number, most?: number) => string

/** Texts of ticks: formatted by `format`, with equally many decimals, and as many as needed to distinguish them. */
export function tickTexts(ticks: readonly number[], format: TickFormat): string[] {
  const most = Math.max(...ticks)
  const texts = ticks.map((tick) => format(tick, most))
  if (new Set(texts).size === texts.length) return alignDecimals(texts)
  const step = Math.min(...ticks.slice(1).map((tick, at) => Math.abs(tick - (ticks[at] ?? 0))))
  const digits = Math.min(20, Math.max(0, Math.ceil(-Math.log10(step) - 1e-9)))
  return ticks.map((tick) => tick.toFixed(digits))
}

/** Sign or currency, whole part, decimals and unit of a number as text. */
const number = /^(\D*)(\d[\d,]*)(?:\.(\d+))?(\D*)$/

/** Numbers of one unit get as many decimals as the longest of them. */
function alignDecimals(texts: readonly string[]): string[] {
  const parts = texts.map((text) => number.exec(text))
  return texts.map((text, at) => {
    const part = parts[at]
    if (!part) return text
    const [, sign = '', whole = '', , unit = ''] = part
    const digits = Math.max(...parts.map((other) => (other?.[4] === unit ? (other[3] ?? '').length : 0)))
    return digits === 0 ? text : `${sign}${whole}.${(part[3] ?? '').padEnd(digits, '0')}${unit}`
  })
}

/** Round values of a scale with their texts, for an axis with values. `areWhole`: only whole values are possible, such as counts. */
export function valueTicks(scale: Scale & ((value: number) => number), count: number, format: TickFormat, areWhole = false) {
  const places = ticksOf(scale, count).filter((place) => !areWhole || Number.isInteger(place))
  return tickTexts(places, format).map((text, at) => ({ at: scale(places[at] ?? 0), text }))
}

/** One round place says nothing of a distance: instead, the ends are labelled. */
export const orEnds = (ticks: readonly number[], [first, last]: readonly [number, number]) =>
  ticks.length > 1 || first === last ? ticks : [first, last]
