import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { TimeRange } from '../../../lib/time/time-range.ts'
import { useTimeZone } from '../../../lib/time/use-time-zone.ts'
import { compactCount } from '../../../lib/texts/compact-count.ts'
import { useProject } from '../../../lib/use-project.ts'
import { PendingBlock } from '../../../ui/states/pending.tsx'
import { ShowQuery } from '../../../ui/states/show-query.tsx'
import { FigureOverTime } from '../../../features/charts/figure-over-time.tsx'
import type { Series } from '../../../plot/frame.tsx'
import { shortType } from '../../../features/feedback/feedback-marks.ts'
import { feedbackOverTimeQuery } from './feedback-over-time-query.ts'
import type { GivenCount } from '../../../features/feedback/read-value-series.ts'
import { ValueChart } from './value-chart.tsx'

const height = 150
const given: readonly Series[] = [{ id: 'given', name: 'Feedback', color: 'var(--s1)' }]

/** The amount of feedback over time, and the values of the chosen type. Each bar links to its feedback. */
export function FeedbackOverTime({ range, type }: { range: TimeRange; type: string | undefined }) {
  const { id } = useProject()
  const timezone = useTimeZone()
  return (
    <ShowQuery
      query={useQuery(feedbackOverTimeQuery(id, { range, type, timezone }))}
      what="feedback over time"
      pending={<PendingBlock what="feedback over time" className="h-50" />}
    >
      {({ given: parts, values, left_out }) => (
        <div className="grid shrink-0 grid-cols-1 gap-4 lg:grid-cols-2 [&>*:only-child]:col-span-full">
          <Given given={parts} type={type} />
          {values.map((series) => (
            <ValueChart key={series.path} series={series} startedAt={parts.map(({ startedAt }) => startedAt)} />
          ))}
          {left_out > 0 && <p className="text-xs text-fg-3">{`${left_out} more values are not drawn`}</p>}
        </div>
      )}
    </ShowQuery>
  )
}

function Given({ given: buckets, type }: { given: readonly GivenCount[]; type: string | undefined }) {
  const { entity, project } = useProject()
  const search = useSearch({ from: '/$entity/$project/feedback' })
  const total = buckets.reduce((sum, part) => sum + part.count, 0)
  const parts = useMemo(
    () =>
      buckets.map((part) => ({
        startedAt: part.startedAt,
        endedAt: part.endedAt,
        values: [part.count],
        text: count(part.count),
        link: {
          to: '/$entity/$project/feedback',
          params: { entity, project },
          search: { ...search, from: part.startedAt, to: part.endedAt },
        } as const,
      })),
    [buckets, entity, project, search],
  )
  return (
    <FigureOverTime
      title="Feedback"
      value={count(total)}
      {...(type !== undefined && { note: shortType(type) })}
      isEmpty={total === 0}
      series={given}
      parts={parts}
      height={height}
      format={compactCount}
      tip={count}
      caption={`${count(total)} given, at most ${count(Math.max(...buckets.map((part) => part.count), 0))} at a time.`}
    />
  )
}

const count = (value: number) => value.toLocaleString('en')
