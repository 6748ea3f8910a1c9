import { Link, type LinkProps } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { useTimeZone } from '../../lib/time/use-time-zone.ts'
import { Time } from '../../ui/time/time.tsx'
import { Bars, Lines } from '../../plot/drawings.ts'
import { ChartFrame, type Series } from '../../plot/frame.tsx'
import type { TickFormat } from '../../plot/ticks.ts'
import { labelsOfTime, startsOf } from './labels-of-time.ts'

/** A part of a time. */
export interface TimePart {
  startedAt: string
  endedAt: string
  /** One per series; null if there is none. */
  values: readonly (number | null)[]
  /** Its values as text, without its time. */
  text: string
  /** The rows behind it. Absent: no page shows them. */
  link?: LinkProps
  /** Whether there are no rows behind it. Default: if all of its values are 0 or null. */
  isEmpty?: boolean
}

/** A column of the table of a chart, after the time. */
export interface PartColumn<Part> {
  title: string
  cell: (part: Part) => ReactNode
}

interface Properties<Part extends TimePart> {
  title: string
  /** Total of all parts, next to the title. */
  value?: string
  /** Shown in small letters next to the title. */
  note?: ReactNode
  series: readonly Series[]
  /** Default: where there are two to four series. */
  hasLegend?: boolean
  /** In the head, before the menu. */
  actions?: ReactNode
  /** Items of its menu, below its own. */
  menu?: ReactNode
  parts: readonly Part[]
  height: number
  /** Description of the chart for screen readers. */
  caption: string
  /** How a value of the axis is written. */
  format: TickFormat
  /** How a value is written next to the pointer. Default: as on the axis. */
  tip?: (value: number) => string
  /** Default: bars. */
  form?: 'bars' | 'line'
  /** The lowest value of the axis of lines. Default: 0. */
  least?: number
  /** Columns of the table. Default: the text of a part as a link to its rows. */
  columns?: readonly PartColumn<Part>[]
  /** Under the chart, or its table. */
  below?: ReactNode
  /** There is nothing to draw, but its space remains. */
  isEmpty?: boolean
  isBare?: boolean
}

/** Whether a part leads nowhere. */
const isEmptyPart = (part: TimePart) => part.isEmpty ?? part.values.every((value) => (value ?? 0) === 0)

/** Parts of a time as bars or lines, and the same as a table. Each part leads to its rows. */
export function FigureOverTime<Part extends TimePart>(properties: Properties<Part>) {
  const {
    title,
    value,
    note,
    series,
    actions,
    menu,
    parts,
    height,
    caption,
    format,
    tip = format,
    form = 'bars',
    isEmpty,
    isBare,
    below,
  } = properties
  const { hasLegend = series.length > 1 && series.length <= 4, columns = valueColumn, least = 0 } = properties
  const timeZone = useTimeZone()
  const { labels, startOf } = useMemo(() => {
    const startedAt = parts.map((one) => one.startedAt)
    return { labels: labelsOfTime(startedAt, timeZone), startOf: startsOf(startedAt, timeZone) }
  }, [parts, timeZone])
  const label = useMemo(() => new Map(labels.map(({ at, text }) => [at, text])), [labels])
  const xTicks = useMemo(() => labels.map(({ at }) => at), [labels])
  const part = (at: number) => parts[at] && <PartLink part={parts[at]} start={startOf(parts[at].startedAt)} />
  const timeOf = (at: number) => startOf(parts[at]?.startedAt ?? '')
  return (
    <ChartFrame
      title={title}
      summary={`${caption} Times are in ${timeZone}.`}
      height={height}
      table={{
        columns: ['From', ...columns.map((column) => column.title)],
        rows: parts
          .toReversed()
          .map((one) => [<Time key="from" value={one.startedAt} text={startOf(one.startedAt)} />, ...columns.map(({ cell }) => cell(one))]),
      }}
      {...(value !== undefined && { value })}
      {...(note !== undefined && { note })}
      {...(hasLegend && { legend: series, drawsLines: form === 'line' })}
      {...(actions !== undefined && { actions })}
      {...(menu !== undefined && { menu })}
      {...(below !== undefined && { below })}
      {...(isEmpty && { state: 'empty' as const })}
      {...(isBare && { bare: true })}
    >
      {form === 'bars' ? (
        <Bars
          label={caption}
          height={height}
          series={[...series]}
          points={parts.map(({ values }, at) => ({
            label: label.get(at) ?? '',
            tip: timeOf(at),
            values: Object.fromEntries(series.map(({ id }, place) => [id, values[place] ?? 0])),
          }))}
          format={format}
          tip={tip}
          xTicks={xTicks}
          part={part}
        />
      ) : (
        <Lines
          label={caption}
          height={height}
          min={least}
          series={series.map((one, place) => ({ ...one, values: parts.map(({ values }) => values[place] ?? Number.NaN) }))}
          format={format}
          tip={tip}
          xTicks={xTicks}
          xLabel={(at) => label.get(at) ?? ''}
          tipLabel={timeOf}
          part={part}
        />
      )}
    </ChartFrame>
  )
}

/** Lies over a part and leads to its rows. By keys, the table of the chart does. */
function PartLink({ part, start }: { part: TimePart; start: string }) {
  if (part.link === undefined || isEmptyPart(part)) return null
  return <Link {...part.link} tabIndex={-1} aria-label={`${part.text} from ${start}`} draggable={false} className="absolute inset-0" />
}

/** A value of the table, as a link to its rows where it has some. */
export const RowsLink = ({ link, children }: { link: LinkProps | undefined; children: ReactNode }) =>
  link === undefined ? (
    <>{children}</>
  ) : (
    <Link {...link} className="inline-flex min-h-6 items-center text-accent-text hover:underline">
      {children}
    </Link>
  )

/** The text of a part, as a link to its rows. */
export const valueColumn: readonly PartColumn<TimePart>[] = [
  { title: 'Value', cell: (part) => <RowsLink link={isEmptyPart(part) ? undefined : part.link}>{part.text}</RowsLink> },
]
