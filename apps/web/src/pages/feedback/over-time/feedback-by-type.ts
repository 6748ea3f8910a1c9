import { type BucketGrid, numberAt, type StatsBucket, timesOf } from '../../../features/charts/stats-bucket.ts'

/** How much feedback of each type was given, in parts of a range. */
export interface FeedbackByType {
  /** The types with the most feedback, the largest first; null: all further ones together. */
  types: (string | null)[]
  /** Parts in order, empty ones included. `counts` has one for each type. */
  parts: { startedAt: string; endedAt: string; counts: number[] }[]
}

/** Types that have their own color; as many as a legend holds. */
const maxTypes = 4

/** Reads statistics that are grouped by type, in which the largest group comes first. */
export function feedbackByType({ buckets, ...grid }: BucketGrid & { buckets: readonly StatsBucket[] }): FeedbackByType {
  const times = timesOf(buckets, grid)
  const all = [...new Set(buckets.flatMap((bucket) => typeOf(bucket) ?? []))]
  const named = all.length > maxTypes ? all.slice(0, maxTypes - 1) : all
  const types = named.length < all.length ? [...named, null] : named
  const parts = new Map<string, FeedbackByType['parts'][number]>()
  for (const bucket of buckets) {
    const time = times(bucket)
    const part = parts.get(time.startedAt) ?? { ...time, counts: types.map(() => 0) }
    parts.set(time.startedAt, part)
    const at = types.indexOf(typeOf(bucket) ?? '')
    const place = at === -1 ? types.length - 1 : at
    if (place >= 0) part.counts[place] = (part.counts[place] ?? 0) + (numberAt(bucket, 'count') ?? 0)
  }
  return { types, parts: [...parts.values()] }
}

const typeOf = ({ group }: StatsBucket): string | undefined => (typeof group === 'string' ? group : undefined)
