import { PencilLine, Plus, Trash2 } from 'lucide-react'
import { readableName } from '../../../lib/texts/readable-name.ts'
import { toCell } from '../../../lib/texts/to-text.ts'
import { Tag } from '../../../ui/badge.tsx'
import { Skeleton } from '../../../ui/card.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { type ColumnKind, kindOfColumn, kindTitles } from './column-kind.ts'
import { cellOf } from './row-columns.ts'
import { NoValue } from '../../../ui/no-value.tsx'

/** A row of the grid: its values are found by its index. */
export interface PlacedRow {
  place: number
}

export type RowMark = 'added' | 'changed' | 'removed' | undefined

interface Options {
  names: readonly string[]
  /** Undefined for a row that is not read yet. */
  valueAt: (place: number) => unknown
  markAt: (place: number) => RowMark
  /** Scope of the marks, such as `in this version`. */
  markedIn: string
}

/** The columns of a dataset: whether a row differs, its index, and its values by their kinds. */
export function columnsOfRows({ names, valueAt, markAt, markedIn }: Options, sample: readonly unknown[]): Column<PlacedRow>[] {
  return [
    {
      id: ' mark',
      title: 'Change',
      isTitleHidden: true,
      width: '40px',
      align: 'center',
      pin: 'left',
      cell: ({ place }) => <Mark mark={markAt(place)} markedIn={markedIn} />,
    },
    {
      id: ' place',
      title: '#',
      width: '64px',
      align: 'right',
      pin: 'left',
      cell: ({ place }) => <span className="num text-fg-3">{place.toLocaleString('en')}</span>,
    },
    ...names.map((name): Column<PlacedRow> => {
      const kind = kindOfColumn(sample.map((value) => cellOf(value, name)))
      return {
        id: name,
        title: readableName(name).slice(0, 80),
        width: widths[kind],
        ...(kind === 'number' && { align: 'right' as const }),
        hint: ({ place }) => textOf(cellOf(valueAt(place), name)),
        cell: ({ place }) => {
          const value = valueAt(place)
          if (value === undefined) return <Skeleton className="h-2.5 w-2/3" />
          const shown = <Cell value={cellOf(value, name)} kind={kind} />
          return markAt(place) === 'removed' ? <del className="text-fg-3">{shown}</del> : shown
        },
      }
    }),
  ]
}

const widths: Readonly<Record<ColumnKind, string>> = {
  number: 'minmax(96px, 0.5fr)',
  boolean: 'minmax(80px, 0.4fr)',
  category: 'minmax(104px, 0.6fr)',
  text: 'minmax(180px, 1.5fr)',
  json: 'minmax(160px, 1.2fr)',
  none: 'minmax(80px, 0.4fr)',
}

const textOf = (value: unknown) => (value === undefined || value === null ? undefined : toCell(value))

function Cell({ value, kind }: { value: unknown; kind: ColumnKind }) {
  if (value === undefined) return <NoValue />
  if (value === null) return <span className="mono text-fg-3">null</span>
  const text = toCell(value)
  if (kind === 'category') return <Tag>{text}</Tag>
  if (kind === 'number')
    return (
      <span className="mono" style={{ color: 'var(--code-number)' }}>
        {text}
      </span>
    )
  if (kind === 'json' && typeof value === 'object') return <span className="mono text-fg-2">{text}</span>
  return <>{text}</>
}

function Mark({ mark, markedIn }: { mark: RowMark; markedIn: string }) {
  if (mark === 'added') return <Plus size={14} strokeWidth={2.25} role="img" aria-label={`Added ${markedIn}`} className="text-green" />
  if (mark === 'changed') return <PencilLine size={13} role="img" aria-label={`Changed ${markedIn}`} className="text-amber" />
  if (mark === 'removed') return <Trash2 size={13} role="img" aria-label={`Removed ${markedIn}`} className="text-red" />
  return null
}

/** The kind of a column, as text. */
export const kindOf = (sample: readonly unknown[], name: string): string =>
  kindTitles[kindOfColumn(sample.map((value) => cellOf(value, name)))]
