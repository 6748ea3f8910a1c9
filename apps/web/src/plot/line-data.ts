/** At most two points a slice: the lowest and the highest of each, in their order, so that no peak is lost. */
export function thin(values: ArrayLike<number>, slices: number): [at: number, value: number][] {
  const n = values.length
  if (n <= slices * 2) return Array.from({ length: n }, (_, i) => [i, values[i] ?? 0])
  const out: [number, number][] = []
  for (let s = 0; s < slices; s++) {
    const from = Math.floor((s * n) / slices)
    const to = Math.floor(((s + 1) * n) / slices)
    let lo = from
    let hi = from
    for (let i = from; i < to; i++) {
      if ((values[i] ?? 0) < (values[lo] ?? 0)) lo = i
      if ((values[i] ?? 0) > (values[hi] ?? 0)) hi = i
    }
    for (const i of lo <= hi ? [lo, hi] : [hi, lo]) out.push([i, values[i] ?? 0])
  }
  return out
}

/** The index of the position nearest to a given one, among ascending positions. Undefined if there are none. */
export function nearestTo(places: ArrayLike<number>, place: number): number | undefined {
  let [low, high] = [0, places.length - 1]
  if (high < 0) return undefined
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((places[middle] ?? 0) <= place) low = middle
    else high = middle
  }
  return place - (places[low] ?? 0) <= (places[high] ?? 0) - place ? low : high
}

/** Labels at the ends of lines, spread so that none overlap. `y` grows downwards. */
export function spreadLabels<T extends { y: number }>(labels: readonly T[], { top, bottom }: { top: number; bottom: number }): T[] {
  const leastDistance = 14
  const spread = labels.map((label) => ({ ...label })).toSorted((one, other) => one.y - other.y)
  for (const [at, label] of spread.entries()) {
    const before = spread[at - 1]
    if (before) label.y = Math.max(label.y, before.y + leastDistance)
  }
  const over = (spread.at(-1)?.y ?? 0) - bottom
  return over > 0 ? spread.map((label) => ({ ...label, y: Math.max(top, label.y - over) })) : spread
}
