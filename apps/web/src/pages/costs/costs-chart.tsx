import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { TimeRange } from '../../app/time-range.ts'
import { useProject } from '../../app/use-project.ts'
import { BarsOverTime } from '../../components/bars-over-time.tsx'
import { formatCost } from '../../components/format-cost.ts'
import { ShowQuery } from '../../components/show-query.tsx'
import { costsOverTimeQuery } from './costs-queries.ts'
import type { CostBucket } from './read-cost-buckets.ts'

const height = 96

interface Properties {
  range: TimeRange
  shown: 'cost' | 'tokens'
}

/** Cost or tokens over time. Each bar leads to the calls of its time. */
export function CostsChart({ range, shown }: Properties) {
  const { id } = useProject()
  return (
    <ShowQuery query={useQuery(costsOverTimeQuery(id, range))} what="costs over time">
      {(buckets) => {
        const most = Math.max(...buckets.map((bucket) => bucket[shown]), 0)
        if (most === 0) return <p className="muted">{shown === 'cost' ? 'Nothing with a known price was used.' : 'No tokens were used.'}</p>
        return (
          <figure className="over-time">
            <BarsOverTime height={height} newest={buckets.at(-1)?.startedAt}>
              {buckets.map((bucket) => (
                <Bar key={bucket.startedAt} bucket={bucket} shown={shown} most={most} />
              ))}
            </BarsOverTime>
            <figcaption className="muted">
              {`The highest bar is ${valueText(shown, most)}; all together are ${valueText(
                shown,
                buckets.reduce((sum, bucket) => sum + bucket[shown], 0),
              )}. Times are in UTC.`}
            </figcaption>
          </figure>
        )
      }}
    </ShowQuery>
  )
}

const valueText = (shown: Properties['shown'], value: number) =>
  shown === 'cost' ? formatCost(value) : `${value.toLocaleString('en')} tokens`

function Bar({ bucket, shown, most }: { bucket: CostBucket; shown: Properties['shown']; most: number }) {
  const { entity, project } = useProject()
  const value = bucket[shown]
  if (value === 0) return <span className="time-bar" />
  const text = `${valueText(shown, value)} from ${bucket.startedAt}`
  return (
    <Link
      to="/$entity/$project/calls"
      params={{ entity, project }}
      search={{
        level: 'all',
        where: [
          { path: 'started_at', operator: '>=', value: bucket.startedAt },
          { path: 'started_at', operator: '<', value: bucket.endedAt },
        ],
      }}
      className="time-bar"
      title={text}
      aria-label={text}
    >
      <span className="time-bar-part" style={{ height: Math.ceil((value / most) * height) }} />
    </Link>
  )
}
