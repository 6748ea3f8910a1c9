import type { Range } from '../../features/calls/calls-search.ts'

/** Ranges of time as written after "the last". */
export const rangeTitles: Record<Range, string> = { '1h': 'hour', '24h': '24 hours', '7d': '7 days', '30d': '30 days' }
