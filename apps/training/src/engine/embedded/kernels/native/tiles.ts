/** Columns before and after those of a tile: some libraries sum the first and the last of a product in another order than the rest. */
export type Guard = 0 | 8

/** A range of rows or columns. */
export interface Tile {
  first: number
  count: number
}

/**
 * Rows and columns of tiles. There are few, so that each is tried once; multiples of 12 rows are whole blocks of the kernels of common libraries, and 272
 * columns, with guards, are what they take at a time.
 */
const rowCounts = [192, 96, 48, 24] as const
const columnCounts = [256, 128, 64] as const

/** Terms that are summed from zero before they are added to their element, as the kernels do (`depth` of matrix.ts there). */
export const productDepth = 256

export const maxTileRows = rowCounts[0]
export const maxTileColumns = columnCounts[0]

/** The most tiles of `total` rows; less than the smallest is left at the end. */
export const rowTiles = (total: number): Tile[] => tilesOf(total, rowCounts)
/** The same of columns. */
export const columnTiles = (total: number): Tile[] => tilesOf(total, columnCounts)

function tilesOf(total: number, counts: readonly number[]): Tile[] {
  const tiles: Tile[] = []
  let first = 0
  for (const count of counts) {
    for (; total - first >= count; first += count) tiles.push({ first, count })
  }
  return tiles
}

/** The end of the last of some tiles in order. */
export function endOf(tiles: readonly Tile[]): number {
  const last = tiles.at(-1)
  return last ? last.first + last.count : 0
}

/** The parts of a sum of `inner` terms that are added to its element one after the other. */
export function depthTiles(inner: number): Tile[] {
  return Array.from({ length: Math.ceil(inner / productDepth) }, (_, index) => ({
    first: index * productDepth,
    count: Math.min(productDepth, inner - index * productDepth),
  }))
}
