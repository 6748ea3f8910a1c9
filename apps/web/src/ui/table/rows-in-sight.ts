/** Heights of a row: of every row, or of the one at an index. */
export type RowHeight = number | ((row: number) => number)

/** Where rows are that follow each other from 0, in pixels. */
export interface RowPlaces {
  count: number
  /** Height of all. */
  total: number
  /** For the number of rows, where the last one ends. */
  startOf: (row: number) => number
}

export function placesOf(count: number, rowHeight: RowHeight): RowPlaces {
  if (typeof rowHeight === 'number') return { count, total: count * rowHeight, startOf: (row) => row * rowHeight }
  const starts = new Float64Array(count + 1)
  for (let row = 0; row < count; row++) starts[row + 1] = (starts[row] ?? 0) + rowHeight(row)
  return { count, total: starts[count] ?? 0, startOf: (row) => starts[row] ?? 0 }
}

export interface RowsBetween {
  first: number
  last: number
}

/** The first and the last of the rows of which something is between `top` and `bottom`. Undefined without any. */
export function rowsBetween(places: RowPlaces, top: number, bottom: number): RowsBetween | undefined {
  if (places.count === 0 || bottom <= top) return undefined
  return { first: rowAt(places, top), last: rowAt(places, bottom - 1) }
}

/** Rows that are in the page above and below those in sight. */
const rowsAround = 8

/** The rows that are in the page: those in sight, and some around them. */
export const drawnAround = ({ first, last }: RowsBetween, count: number): RowsBetween => ({
  first: Math.max(0, first - rowsAround),
  last: Math.min(count - 1, last + rowsAround),
})

/** The row at a height; the first or the last one outside of them. */
function rowAt({ count, startOf }: RowPlaces, y: number): number {
  let low = 0
  let high = count - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (startOf(middle) <= y) low = middle
    else high = middle - 1
  }
  return low
}

/** Where to scroll a box of this height so that all of a row is in sight: as little as possible. */
export function scrolledTo(places: RowPlaces, row: number, { top, height }: { top: number; height: number }): number {
  const start = places.startOf(row)
  const end = places.startOf(row + 1)
  return start < top ? start : Math.max(top, end - height)
}
