import { Link } from '@tanstack/react-router'
import { FigureTable } from '../figure-table.tsx'
import type { GridColumn } from '../rows-grid.tsx'
import { Time } from '../time.tsx'
import { LinkedBars, type TimePart, valueOf } from './linked-bars.tsx'

interface Properties {
  /** What the bars show, where a heading does not say it. */
  title?: string
  parts: readonly TimePart[]
  height: number
  /** What the bars say together, in words. */
  caption: string
}

/** Bars over time with their caption, and the same as a table. */
export function FigureOverTime({ title, parts, height, caption }: Properties) {
  return (
    <figure className="over-time" aria-label={title}>
      {title !== undefined && <strong>{title}</strong>}
      <LinkedBars parts={parts} height={height} />
      <figcaption className="muted">{`${caption} Times are in UTC.`}</figcaption>
      <FigureTable name={title ?? 'Bars'} rows={parts} columns={columns} keyOf={({ startedAt }) => startedAt} />
    </figure>
  )
}

const columns: readonly GridColumn<TimePart>[] = [
  { title: 'From', rem: 12, grow: 1, cell: ({ startedAt }) => <Time value={startedAt} /> },
  {
    title: 'Value',
    rem: 16,
    grow: 3,
    cell: (part) => (valueOf(part) === 0 ? part.text : <Link {...part.link}>{part.text}</Link>),
  },
]
