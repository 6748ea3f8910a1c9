export const maxVariants = 4

/** Name of a variant. */
export const nameOfVariant = (at: number): string => 'ABCD'[at] ?? String(at + 1)
