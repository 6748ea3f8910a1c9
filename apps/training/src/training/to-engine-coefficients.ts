/**
 * Coefficients as an engine takes them. When the loss is not finite, all of them are not: the engine then changes no weight with this step, and clears
 * what other parts of the step added.
 */
export function toEngineCoefficients({ loss, coefficients }: { loss: number; coefficients: Float64Array }): Float32Array {
  return Number.isFinite(loss) ? Float32Array.from(coefficients) : new Float32Array(coefficients.length).fill(Number.NaN)
}
