import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ListColumn } from '../list-table.tsx'
import { TimeInColumn } from '../time/time.tsx'
import type { Column } from './columns.ts'

/** A column for one kind of value, in a grid or a ListTable. Rows without a value show a dash. */
type KindColumn<Row> = Column<Row> & ListColumn<Row>
type Value<Row, Kind> = (row: Row) => Kind | null | undefined

interface Options<Row> extends Partial<Pick<KindColumn<Row>, 'align' | 'hint' | 'pin' | 'tip' | 'wide' | 'wraps' | 'namesRow'>> {
  /** Whether rows can be sorted by the value, or another value to sort them by. */
  sort?: boolean | ((row: Row) => string | number)
}

const sortOf = <Row,>(sort: Options<Row>['sort'], usual: (row: Row) => string | number) =>
  sort ? { sort: sort === true ? usual : sort } : undefined

const looks = { plain: undefined, quiet: 'text-fg-2', strong: 'font-medium', mono: 'mono text-fg-2' }

interface TextOptions<Row> extends Options<Row> {
  look?: keyof typeof looks
}

/** A text. If it is cut off, its tooltip shows it in full. */
export function textColumn<Row>(
  id: string,
  title: string,
  width: string,
  textOf: Value<Row, string>,
  { look = 'plain', sort, ...others }: TextOptions<Row> = {},
): KindColumn<Row> {
  const className = looks[look]
  return {
    id,
    title,
    width,
    hint: (row) => textOf(row) ?? undefined,
    cell: (row) => {
      const text = textOf(row)
      return text && className ? <span className={className}>{text}</span> : text
    },
    ...sortOf(sort, (row) => textOf(row) ?? ''),
    ...others,
  }
}

interface NumberOptions<Row> extends Options<Row> {
  /** How it is written. Default: with thousands separators. */
  show?: (value: number) => ReactNode
}

/** A number, aligned right. Rows without one sort as the lowest. */
export const numberColumn = <Row,>(
  id: string,
  title: string,
  width: string,
  numberOf: Value<Row, number>,
  { show = (value) => value.toLocaleString('en'), sort, ...others }: NumberOptions<Row> = {},
): KindColumn<Row> => ({
  id,
  title,
  width,
  align: 'right',
  cell: (row) => {
    const value = numberOf(row)
    return value === undefined || value === null ? undefined : show(value)
  },
  ...sortOf(sort, (row) => numberOf(row) ?? Number.NEGATIVE_INFINITY),
  ...others,
})

/** A link to a page, usually by the name of the row. */
export const linkColumn = <Row,>(
  id: string,
  title: string,
  width: string,
  textOf: (row: Row) => string,
  linkOf: (row: Row) => LinkProps,
  { sort, ...others }: Options<Row> = {},
): KindColumn<Row> => ({
  id,
  title,
  width,
  hint: textOf,
  cell: (row) => (
    <Link {...linkOf(row)} className="font-medium hover:underline">
      {textOf(row)}
    </Link>
  ),
  ...sortOf(sort, textOf),
  ...others,
})

/** How long ago something was, aligned right. Rows can be sorted by the time. */
export const timeColumn = <Row,>(
  id: string,
  title: string,
  timeOf: Value<Row, string>,
  { sort = true, ...others }: Options<Row> = {},
): KindColumn<Row> => ({
  id,
  title,
  width: '112px',
  align: 'right',
  cell: (row) => {
    const time = timeOf(row)
    return (
      time && (
        <span className="text-fg-2">
          <TimeInColumn value={time} />
        </span>
      )
    )
  },
  ...sortOf(sort, (row) => timeOf(row) ?? ''),
  ...others,
})

/** What can be done with a row of a grid, pinned to the right. A ListTable takes `actions` instead. */
export const actionsColumn = <Row,>(cell: (row: Row) => ReactNode): Column<Row> => ({
  id: 'actions',
  title: 'Actions',
  isTitleHidden: true,
  width: '44px',
  align: 'right',
  pin: 'right',
  cell,
})
