/** An exponential average, corrected for its start: without the correction the first values would be drawn to 0. */
export function smooth(values: readonly number[], factor: number): number[] {
  let average = 0
  return values.map((value, at) => {
    average = factor * average + (1 - factor) * value
    return average / (1 - factor ** (at + 1))
  })
}
