import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import type { TimeRange } from '../../lib/time/time-range.ts'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { type ProjectName, useProject } from '../../lib/use-project.ts'
import { formatCost, shortCost } from '../../lib/texts/format-cost.ts'
import { compactCount } from '../../lib/texts/compact-count.ts'
import { PendingBlock } from '../../ui/states/pending.tsx'
import { ShowQuery } from '../../ui/states/show-query.tsx'
import { FigureOverTime, type TimePart } from '../charts/figure-over-time.tsx'
import { nameWithin } from './calls-of-group.ts'
import { callsOfTime } from '../calls/calls-of-time.ts'
import { costsOverTimeQuery } from './costs-queries.ts'
import type { CostBucket } from './read-cost-buckets.ts'
import { type CostMeasure, seriesOfModels } from './series-of-models.ts'

interface Properties {
  range: TimeRange
  shown: CostMeasure
  height: number
  /** Before its menu. */
  actions?: ReactNode
  /** Items of its menu. */
  menu?: ReactNode
}

/** Cost or tokens over time by model. Each bar leads to the calls of its time. */
export function CostsChart({ range, ...properties }: Properties) {
  const { id } = useProject()
  const timezone = useTimeZone()
  return (
    <ShowQuery
      query={useQuery(costsOverTimeQuery(id, { range, timezone }))}
      what="costs over time"
      pending={<PendingBlock what="costs over time" className="h-58" />}
    >
      {(buckets) => <Chart buckets={buckets} {...properties} />}
    </ShowQuery>
  )
}

function Chart({ buckets, shown, height, actions, menu }: Omit<Properties, 'range'> & { buckets: readonly CostBucket[] }) {
  const project = useProject()
  const { series, values } = useMemo(() => seriesOfModels(buckets, shown), [buckets, shown])
  const parts = useMemo(
    () => buckets.map((bucket, at) => toPart(bucket, values[at] ?? [], shown, project)),
    [buckets, values, shown, project.entity, project.project],
  )
  const all = buckets.reduce((sum, bucket) => sum + bucket[shown], 0)
  return (
    <FigureOverTime
      title={shown === 'cost' ? 'Cost' : 'Tokens'}
      {...(all > 0 && { value: shown === 'cost' ? formatCost(all) : all.toLocaleString('en') })}
      isEmpty={all === 0}
      actions={actions}
      menu={menu}
      series={series.map((one) => ({ ...one, name: nameWithin(project.id, one.name) }))}
      parts={parts}
      height={height}
      caption={`${valueText(shown, all)}, at most ${valueText(shown, Math.max(...buckets.map((bucket) => bucket[shown]), 0))} at a time.`}
      format={(value, most) => axisText(shown, value, most)}
      tip={(value) => (shown === 'cost' ? formatCost(value) : value.toLocaleString('en'))}
    />
  )
}

const valueText = (shown: CostMeasure, value: number) => (shown === 'cost' ? formatCost(value) : `${value.toLocaleString('en')} tokens`)

const axisText = (shown: CostMeasure, value: number, most?: number) => (shown === 'cost' ? shortCost(value) : compactCount(value, most))

function toPart(
  { startedAt, endedAt, ...bucket }: CostBucket,
  values: readonly number[],
  shown: CostMeasure,
  { entity, project }: ProjectName,
): TimePart {
  const times = { startedAt, endedAt }
  return {
    ...times,
    values,
    text: valueText(shown, bucket[shown]),
    link: { to: '/$entity/$project/calls', params: { entity, project }, search: { level: 'all', where: callsOfTime(times) } },
  }
}
