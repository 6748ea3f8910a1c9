import { Link } from '@tanstack/react-router'
import { FigureTable } from '../figure-table.tsx'
import type { GridColumn } from '../rows-grid.tsx'
import { Time } from '../time.tsx'
import { type ReactNode, useMemo } from 'react'
import { isEmptyPart, LinkedBars, type TimePart } from './linked-bars.tsx'

interface Properties<Part extends TimePart> {
  /** What the bars show, where a heading does not say it. */
  title?: string
  /** What the bars show, where a heading says it. */
  name?: string
  /** What can be done with the figure, beside its title. */
  action?: ReactNode
  parts: readonly Part[]
  height: number
  /** What the bars say together, in words. */
  caption: string
  /** What draws the parts. Default: bars. */
  drawing?: ReactNode
  /** Of the table, after the time. Default: the text of a part. */
  columns?: readonly GridColumn<Part>[]
}

/** Parts of a time as a drawing, usually bars, with their caption, and the same as a table. */
export function FigureOverTime<Part extends TimePart>({
  title,
  name = title,
  action,
  parts,
  height,
  caption,
  drawing,
  columns = valueColumn,
}: Properties<Part>) {
  const all = useMemo(() => [fromColumn, ...columns], [columns])
  return (
    <figure className="over-time" aria-label={name}>
      {title !== undefined && <strong>{title}</strong>}
      {action !== undefined && <> {action}</>}
      {drawing ?? <LinkedBars parts={parts} height={height} />}
      <figcaption className="muted">{`${caption} Times are in UTC.`}</figcaption>
      <FigureTable name={name ?? 'Bars'} rows={parts} columns={all} keyOf={({ startedAt }) => startedAt} />
    </figure>
  )
}

/** When a part begins. */
export const fromColumn: GridColumn<TimePart> = {
  title: 'From',
  rem: 12,
  grow: 1,
  cell: ({ startedAt }) => <Time value={startedAt} />,
}

/** What a part has, as a link to its rows. */
export const valueColumn: readonly GridColumn<TimePart>[] = [
  {
    title: 'Value',
    rem: 16,
    grow: 3,
    cell: (part) => (isEmptyPart(part) ? part.text : <Link {...part.link}>{part.text}</Link>),
  },
]
