const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })

/** A count in few characters: `858`, `1.5K`, `9.8M`. */
export const compactCount = (count: number): string => compact.format(count)
