/** The likeliest tokens, the lower id first among equals; none of weight 0, which cannot be sampled. */
export function listTop(weights: ArrayLike<number>, count: number): number[] {
  const top: number[] = []
  if (count === 0) return top
  for (let id = 0; id < weights.length; id++) {
    const weight = weights[id]!
    if (weight === 0 || (top.length === count && weight <= weights[top.at(-1)!]!)) continue
    const place = top.findIndex((other) => weights[other]! < weight)
    top.splice(place < 0 ? top.length : place, 0, id)
    if (top.length > count) top.pop()
  }
  return top
}
