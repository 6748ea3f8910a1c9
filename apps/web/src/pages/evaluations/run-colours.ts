/** The baseline is grey; the rest have the colors of series in their order. */
const colours = ['var(--s8)', 'var(--s1)', 'var(--s2)', 'var(--s3)', 'var(--s4)', 'var(--s5)', 'var(--s6)', 'var(--s7)']

/** The color of a run among the compared ones, by its index. A single run has that of the first series. */
export const colourOfRun = (place: number, runs: number): string => colours[runs === 1 ? 1 : place % colours.length] ?? ''
