import { useMemo } from 'react'
import { useTimeZone } from '../../../lib/time/use-time-zone.ts'
import { Time } from '../../../ui/time/time.tsx'
import { labelsOfTime, startsOf } from '../../../features/charts/labels-of-time.ts'
import { ChartFrame } from '../../../plot/frame.tsx'
import { Lines } from '../../../plot/drawings.ts'
import { numberText } from '../../../lib/texts/number-text.ts'
import type { ValueSeries } from '../../../features/feedback/read-value-series.ts'

const height = 150

/** The values at a path over time: their mean as a line, their lowest and highest as a band. Rates are drawn from 0 to 1. */
export function ValueChart({ series: { path, isRate, points }, startedAt }: { series: ValueSeries; startedAt: readonly string[] }) {
  const timeZone = useTimeZone()
  const labels = useMemo(() => labelsOfTime(startedAt, timeZone), [startedAt, timeZone])
  const startOf = startsOf(startedAt, timeZone)
  const pointAt = useMemo(() => {
    const known = new Map(points.map((point) => [point.startedAt, point]))
    return startedAt.map((start) => known.get(start))
  }, [points, startedAt])
  const text = (value: number) => numberText(value, isRate)
  const count = points.reduce((sum, point) => sum + point.count, 0)
  const low = Math.min(...points.map((point) => point.low))
  const high = Math.max(...points.map((point) => point.high))
  const words = `last ${text(points.at(-1)?.mean ?? 0)}${isRate ? '' : `, values from ${text(low)} to ${text(high)}`}, n = ${count.toLocaleString('en')}`
  return (
    <ChartFrame
      title={path}
      note={`${isRate ? 'rate' : 'mean'} ${words}`}
      height={height}
      table={{
        columns: ['From', isRate ? 'Rate' : 'Mean', ...(isRate ? [] : ['Lowest', 'Highest']), 'Values'],
        rows: points
          .toReversed()
          .map((point) => [
            <Time key="from" value={point.startedAt} text={startOf(point.startedAt)} />,
            text(point.mean),
            ...(isRate ? [] : [text(point.low), text(point.high)]),
            point.count.toLocaleString('en'),
          ]),
      }}
    >
      <Lines
        label={`${path} over time, ${words}`}
        height={height}
        dots
        {...(isRate ? { min: 0, max: 1 } : { min: low, max: high === low ? low + 1 : high })}
        series={[
          {
            id: path,
            name: isRate ? 'Rate' : 'Mean',
            color: 'var(--s1)',
            values: pointAt.map((point) => point?.mean ?? Number.NaN),
            ...(!isRate && { band: pointAt.map((point) => [point?.low ?? Number.NaN, point?.high ?? Number.NaN] as [number, number]) }),
          },
        ]}
        format={text}
        xTicks={labels.map(({ at }) => at)}
        xLabel={(at) => labels.find((label) => label.at === at)?.text ?? ''}
        tipLabel={(at) => startOf(startedAt[at] ?? '')}
      />
    </ChartFrame>
  )
}
