import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { TimeRange } from '../../app/time-range.ts'
import { type ProjectName, useProject } from '../../app/use-project.ts'
import { FigureOverTime } from '../../components/bars-over-time/figure-over-time.tsx'
import type { TimePart } from '../../components/bars-over-time/linked-bars.tsx'
import { formatCost } from '../../components/format-cost.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { callsOfTime } from '../calls/calls-of-time.ts'
import { costsOverTimeQuery } from './costs-queries.ts'
import type { CostBucket } from './read-cost-buckets.ts'

interface Properties {
  range: TimeRange
  shown: 'cost' | 'tokens'
  height?: number
  title?: string
  /** What can be done with the chart, beside its title. */
  action?: ReactNode
}

/** Cost or tokens over time. Each bar leads to the calls of its time. */
export function CostsChart({ range, shown, height = 96, title, action }: Properties) {
  const project = useProject()
  return (
    <ShowQuery query={useQuery(costsOverTimeQuery(project.id, range))} what="costs over time">
      {(buckets) => {
        const most = Math.max(...buckets.map((bucket) => bucket[shown]), 0)
        const all = buckets.reduce((sum, bucket) => sum + bucket[shown], 0)
        if (most === 0) return <p className="muted">{shown === 'cost' ? 'Nothing with a known price was used.' : 'No tokens were used.'}</p>
        return (
          <FigureOverTime
            {...(title !== undefined && { title })}
            action={action}
            height={height}
            parts={buckets.map((bucket) => toPart(bucket, shown, project))}
            caption={`The highest bar is ${valueText(shown, most)}; all together are ${valueText(shown, all)}.`}
          />
        )
      }}
    </ShowQuery>
  )
}

const valueText = (shown: Properties['shown'], value: number) =>
  shown === 'cost' ? formatCost(value) : `${value.toLocaleString('en')} tokens`

function toPart(bucket: CostBucket, shown: Properties['shown'], { entity, project }: ProjectName): TimePart {
  return {
    ...bucket,
    sections: [{ value: bucket[shown] }],
    text: valueText(shown, bucket[shown]),
    link: { to: '/$entity/$project/calls', params: { entity, project }, search: { level: 'all', where: callsOfTime(bucket) } },
  }
}
