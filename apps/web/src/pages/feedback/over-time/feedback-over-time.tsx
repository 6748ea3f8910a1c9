import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { sum } from '../../../lib/sum.ts'
import type { TimeRange } from '../../../lib/time/time-range.ts'
import { useTimeZone } from '../../../lib/time/use-time-zone.ts'
import { compactCount } from '../../../lib/texts/compact-count.ts'
import { useProject } from '../../../lib/use-project.ts'
import { PendingBlock } from '../../../ui/states/pending.tsx'
import { ShowQuery } from '../../../ui/states/show-query.tsx'
import { FigureOverTime, type TimePart, valueColumn } from '../../../features/charts/figure-over-time.tsx'
import { Distribution } from '../../../plot/drawings.ts'
import { ChartFrame } from '../../../plot/frame.tsx'
import { nameOfType } from '../../../features/feedback/feedback-marks.ts'
import type { Categories } from './categories-of.ts'
import { feedbackOverTimeQuery, maxCounted } from './feedback-over-time-query.ts'
import type { FeedbackByType } from './feedback-by-type.ts'
import { ValueChart } from './value-chart.tsx'

const height = 150
const colors = ['var(--s1)', 'var(--s2)', 'var(--s3)', 'var(--s5)']

/** The amount of feedback over time by its type, and the values of the chosen type. Each bar links to its feedback. */
export function FeedbackOverTime({ range, type }: { range: TimeRange; type: string | undefined }) {
  const { id } = useProject()
  const timezone = useTimeZone()
  return (
    <ShowQuery
      query={useQuery(feedbackOverTimeQuery(id, { range, type, timezone }))}
      what="feedback over time"
      pending={<PendingBlock what="feedback over time" className="h-50" />}
    >
      {({ given, values, categories, left_out }) => (
        <div className="grid shrink-0 grid-cols-1 gap-4 lg:grid-cols-2 [&>*:only-child]:col-span-full">
          <FeedbackCounts given={given} type={type} />
          {values.map((series) => (
            <ValueChart key={series.path} series={series} startedAt={given.parts.map(({ startedAt }) => startedAt)} />
          ))}
          {categories.map((one) => (
            <CategoriesChart key={one.path} {...one} />
          ))}
          {left_out > 0 && <p className="text-xs text-fg-3">{`${left_out} more values are not drawn`}</p>}
        </div>
      )}
    </ShowQuery>
  )
}

function FeedbackCounts({ given: { types, parts: buckets }, type }: { given: FeedbackByType; type: string | undefined }) {
  const { entity, project } = useProject()
  const search = useSearch({ from: '/$entity/$project/feedback' })
  const total = sum(buckets.map(({ counts }) => sum(counts)))
  const series = types.map((one, at) => ({
    id: one ?? 'other types',
    name: one === null ? 'Other' : nameOfType(one),
    color: one === null ? 'var(--s8)' : (colors[at] ?? 'var(--s8)'),
  }))
  const typeColumns = series.map(({ name }, at) => ({ title: name, cell: ({ values }: TimePart) => count(values[at] ?? 0) }))
  const parts = useMemo(
    () =>
      buckets.map(({ startedAt, endedAt, counts }) => ({
        startedAt,
        endedAt,
        values: counts,
        text: count(sum(counts)),
        link: {
          to: '/$entity/$project/feedback',
          params: { entity, project },
          search: { ...search, from: startedAt, to: endedAt },
        } as const,
      })),
    [buckets, entity, project, search],
  )
  return (
    <FigureOverTime
      title="Feedback"
      value={count(total)}
      {...(type !== undefined && { note: nameOfType(type) })}
      isEmpty={total === 0}
      series={series}
      parts={parts}
      columns={[...valueColumn, ...(types.length > 1 ? typeColumns : [])]}
      height={height}
      format={compactCount}
      tip={count}
      caption={`${count(total)} given, at most ${count(Math.max(...buckets.map(({ counts }) => sum(counts)), 0))} at a time.`}
    />
  )
}

/** How often each category was given. */
function CategoriesChart({ path, values }: Categories) {
  const total = values.reduce((sum, one) => sum + one.count, 0)
  return (
    <ChartFrame
      title={path}
      note={`n = ${count(total)}${total >= maxCounted ? ', the newest' : ''}`}
      height={height}
      table={{ columns: ['Value', 'Feedback'], rows: values.map((one) => [one.value, count(one.count)]) }}
    >
      <Distribution
        label={`Feedback by ${path}. ${values.map((one) => `${one.value}: ${count(one.count)}`).join('; ')}`}
        height={height}
        bins={[values.map((one) => one.count)]}
        series={[{ id: path, name: 'Feedback', color: 'var(--s1)' }]}
        names={values.map(({ value }) => value)}
        unit="feedback"
      />
    </ChartFrame>
  )
}

const count = (value: number) => value.toLocaleString('en')
