import { sum } from '../../lib/sum.ts'
import type { Series } from '../../plot/frame.tsx'
import type { CostBucket } from './read-cost-buckets.ts'

export type CostMeasure = 'cost' | 'tokens'

/** Models that are drawn by themselves. */
const maxModels = 3
const colors = ['var(--s1)', 'var(--s2)', 'var(--s3)']
/** Color of all other models together. */
const otherColor = 'var(--s8)'

export interface ModelSeries {
  series: readonly Series[]
  /** For each bucket, one value per series. */
  values: readonly (readonly number[])[]
}

/** The models with the most of a measure, the largest first, and all remaining ones together. Models without any are omitted. */
export function seriesOfModels(buckets: readonly CostBucket[], measure: CostMeasure): ModelSeries {
  const sums = new Map<string, number>()
  for (const { models } of buckets) for (const [name, value] of models) sums.set(name, (sums.get(name) ?? 0) + value[measure])
  const known = [...sums].filter(([, sum]) => sum > 0).toSorted(([, one], [, other]) => other - one)
  // A single further model is shown under its own name.
  const own = known.length === maxModels + 1 ? known : known.slice(0, maxModels)
  const names = own.map(([name]) => name)
  const others = known.length - names.length
  const series: Series[] = names.map((name, at) => ({ id: name, name, color: colors[at] ?? otherColor }))
  if (others > 0) series.push({ id: ' others', name: `${others} more`, color: otherColor })
  const values = buckets.map((bucket) => {
    const shown = names.map((name) => bucket.models.get(name)?.[measure] ?? 0)
    return others > 0 ? [...shown, Math.max(0, bucket[measure] - sum(shown))] : shown
  })
  return { series, values }
}
