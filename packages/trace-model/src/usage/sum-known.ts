/** The sum of the known numbers; null if none is known. */
export const sumKnown = (numbers: readonly (number | null)[]): number | null =>
  numbers.reduce((sum, number) => (sum === null ? number : sum + (number ?? 0)), null)
