import type { ReactNode } from 'react'

/** A column of a table. */
export interface AnyColumn<Row> {
  id: string
  /** In the head, in the menu of columns and for assistive technology. */
  title: string
  /** The title is not drawn: the column is as narrow as its signs. */
  isTitleHidden?: boolean
  /** Explains the title, in its tooltip. */
  tip?: string
  /** Default: left. */
  align?: 'left' | 'right' | 'center'
  /** Undefined, null and an empty text are shown as a dash. */
  cell: (row: Row) => ReactNode
  /** The whole text of a cell that may be cut, for its tooltip. */
  hint?: (row: Row) => string | undefined
}

/** A column of a grid. */
export interface Column<Row> extends AnyColumn<Row> {
  /** Color of a dot before the title, which is the same in charts. */
  color?: string
  /** A CSS track: `96px`, or `minmax(160px, 2fr)` for a text that shares the remaining space. Columns pinned left, except the last, are in pixels. */
  width: string
  /** Rows can be sorted by it: by this value, where the grid sorts. */
  sort?: (row: Row) => string | number
  /** Remains visible while the rest scrolls sideways. */
  pin?: 'left' | 'right'
}

/** A user's arrangement of the columns of a grid. */
export interface Arrangement {
  /** Widths in pixels of columns that were resized, by their ids. */
  widths?: Readonly<Record<string, number>>
  /** Ids in the order of the columns. Further columns follow, in their own order. */
  order?: readonly string[]
  hidden?: readonly string[]
}

export const leastWidth = 40
const maxWidth = 1_200

/** The columns shown, in their order: those pinned left first, those pinned right last. */
export function arrange<Row>(columns: readonly Column<Row>[], { order = [], hidden = [] }: Arrangement): Column<Row>[] {
  const placeOf = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  const sideOf = ({ pin }: Column<Row>) => (pin === 'left' ? 0 : pin === 'right' ? 2 : 1)
  return columns
    .filter(({ id }) => !hidden.includes(id))
    .toSorted((one, other) => sideOf(one) - sideOf(other) || placeOf(one.id) - placeOf(other.id))
}

const trackOf = <Row>({ id, width }: Column<Row>, widths: Arrangement['widths']): string => {
  const own = widths?.[id]
  return own === undefined ? width : `${own}px`
}

/** The least pixels of a track. */
const leastOf = (track: string): number => Number(/\d+(?:\.\d+)?(?=px)/.exec(track)?.[0] ?? leastWidth)

export interface Tracks {
  /** Value of `grid-template-columns`. */
  template: string
  /** Pixels below which the grid scrolls sideways. */
  minWidth: number
  /** Pixels from the left or right edge at which a pinned column is fixed, by its id. */
  offsets: ReadonlyMap<string, { side: 'left' | 'right'; px: number; isEdge: boolean }>
}

/** Positions of the columns of a grid. `leading` is the width in pixels of the content before them, 0 for none. */
export function tracksOf<Row>(columns: readonly Column<Row>[], widths: Arrangement['widths'], leading: number): Tracks {
  const tracks = columns.map((column) => trackOf(column, widths))
  const least = tracks.map(leastOf)
  const offsets = new Map<string, { side: 'left' | 'right'; px: number; isEdge: boolean }>()
  let left = leading
  for (const [at, { id, pin }] of columns.entries()) {
    if (pin !== 'left') continue
    offsets.set(id, { side: 'left', px: left, isEdge: columns[at + 1]?.pin !== 'left' })
    left += least[at] ?? 0
  }
  let right = 0
  for (const [at, { id, pin }] of [...columns.entries()].toReversed()) {
    if (pin !== 'right') continue
    offsets.set(id, { side: 'right', px: right, isEdge: columns[at - 1]?.pin !== 'right' })
    right += least[at] ?? 0
  }
  return {
    template: [...(leading > 0 ? [`${leading}px`] : []), ...tracks].join(' '),
    minWidth: leading + least.reduce((sum, px) => sum + px, 0),
    offsets,
  }
}

/** A width within the bounds of columns. */
export const boundedWidth = (px: number): number => Math.round(Math.min(maxWidth, Math.max(leastWidth, px)))

/** Ids with one of them moved to the position of another. */
export function movedOver(order: readonly string[], id: string, over: string): string[] {
  const others = order.filter((one) => one !== id)
  const to = order.indexOf(over)
  return [...others.slice(0, to), id, ...others.slice(to)]
}
