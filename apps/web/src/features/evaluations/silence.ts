/** A run without news for so long may have lost its program. */
export const quietMinutes = 10

/** A call below a run, or the run itself. */
export interface News {
  started_at: string
  ended_at?: string | null
}

/** Whole minutes since a call last began or ended. Undefined for too few to mention, and if no time is readable. */
export function minutesWithoutNews(news: readonly News[], nowMs: number): number | undefined {
  const times = news.flatMap(({ started_at, ended_at }) => [Date.parse(started_at), Date.parse(ended_at ?? '')]).filter(Number.isFinite)
  const minutes = Math.floor((nowMs - Math.max(...times)) / 60_000)
  return Number.isFinite(minutes) && minutes >= quietMinutes ? minutes : undefined
}
