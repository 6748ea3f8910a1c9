/** An exponential average, corrected for its start: without the correction the first values would be drawn to 0. */
export function smooth(values: readonly number[], factor: number): number[] {
  let average = 0
  return values.map((value, at) => {
    average = factor * average + (1 - factor) * value
    return average / (1 - factor ** (at + 1))
  })
}

/** Points that stand together, with the lowest and highest value among them. */
export interface ThinnedPoint {
  step: number
  place: number
  low: number
  high: number
  last: number
}

/** At most `count` points, each for as many steps: none of the extremes is lost. */
export function thin(points: readonly { step: number; place: number; value: number }[], count: number): ThinnedPoint[] {
  const size = Math.max(1, Math.ceil(points.length / count))
  return Array.from({ length: Math.ceil(points.length / size) }, (_, at) => {
    const part = points.slice(at * size, (at + 1) * size)
    const values = part.map(({ value }) => value)
    const { step = 0, place = 0 } = part.at(-1) ?? {}
    return { step, place, low: Math.min(...values), high: Math.max(...values), last: values.at(-1) ?? 0 }
  })
}
