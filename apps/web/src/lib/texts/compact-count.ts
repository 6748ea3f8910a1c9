const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

/** A count in few characters: `9,858`, `15.5K`, `1.03M`. `most` is the highest count that it is read with, as on an axis: up to 9,999 all are written in full. */
export const compactCount = (count: number, most = count): string => (most < 10_000 ? count.toLocaleString('en') : compact.format(count))
