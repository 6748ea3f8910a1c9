/** A string of which most rows have their own. */
export const text = { type: 'String', codec: 'ZSTD(1)' } as const

/** A string of which a column has few distinct ones, stored once each: names, kinds, ids of projects. */
export const lowCardinality = { type: 'LowCardinality(String)' } as const
