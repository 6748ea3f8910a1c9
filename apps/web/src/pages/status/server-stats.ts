import type { OutputOf, tracing } from '@heddle/core-api'

type Stats = OutputOf<(typeof tracing)['service']['stats']>

/** A reading of the state of the server. */
export interface Reading {
  stats: Stats
  readAtMs: number
  /** Spans that were stored since the reading before, per minute. Undefined with the first reading, and after a restart. */
  spansPerMinute: number | undefined
}

type RowsOfTables = Readonly<Record<string, number>>

/** Spans among the rows that were stored, by table. */
export const storedSpans = (rows: RowsOfTables): number => rows['calls'] ?? 0

/** How fast spans were stored between two readings of one run of the server. */
export function spansPerMinute(
  before: Omit<Reading, 'spansPerMinute'> | undefined,
  now: Omit<Reading, 'spansPerMinute'>,
): number | undefined {
  if (!before || before.stats.started_at !== now.stats.started_at || now.readAtMs <= before.readAtMs) return undefined
  const spans = storedSpans(now.stats.engine.inserted_rows) - storedSpans(before.stats.engine.inserted_rows)
  return (spans * 60_000) / (now.readAtMs - before.readAtMs)
}

/** Rows of all tables that the server has stored since it started. */
export function storedRows({ engine }: Stats): number {
  return Object.values(engine.inserted_rows).reduce((sum, rows) => sum + rows, 0)
}

/** Requests by outcome; each is in one. */
export interface RequestCounts {
  answered: number
  /** The client's error, such as a wrong key or path. */
  rejected: number
  /** By a limit of the server: too large, too many, or no room. */
  refused: { tooLarge: number; tooMany: number; unavailable: number }
  failed: number
}

export function countRequests(byStatus: Readonly<Record<string, number>>): RequestCounts {
  const counts: RequestCounts = { answered: 0, rejected: 0, refused: { tooLarge: 0, tooMany: 0, unavailable: 0 }, failed: 0 }
  for (const [status, count] of Object.entries(byStatus)) {
    if (status === '413') counts.refused.tooLarge += count
    else if (status === '429') counts.refused.tooMany += count
    else if (status === '503') counts.refused.unavailable += count
    else if (status.startsWith('5')) counts.failed += count
    else if (status.startsWith('4')) counts.rejected += count
    else counts.answered += count
  }
  return counts
}
