import type { Address, Kernels, KernelSet } from '../kernels.ts'
import { Agreement } from './agreement.ts'
import type { NativeProduct, Operation } from './blas-library.ts'
import { columnTiles, depthTiles, endOf, type Guard, maxTileColumns, maxTileRows, productDepth, rowTiles, type Tile } from './tiles.ts'

/** Sums of fewer terms take longer to copy than to compute. */
const minInner = 64

/** A native product, and how it has the bits of the kernels. */
export interface Native {
  product: NativeProduct
  guard: Guard
}

export interface NativeMemory {
  kernels: Kernels
  set: KernelSet
  floats(address: Address, length: number): Float32Array
  /** Of `scratchBytes`, for this thread alone. */
  scratch: Address
}

const tileRow = (guard: Guard) => maxTileColumns + 2 * guard

/** Bytes that native products take in the kernels' memory for each thread: a tile of the second operand, and one of the result. */
export function scratchBytes(guard: Guard): number {
  return (productDepth + maxTileRows) * tileRow(guard) * 4
}

/** c = a b, or c += a b. */
interface Product {
  operation: Operation
  /** Where the element (row, k) of a is. */
  a(row: number, k: number): Address
  aRow: number
  /** Puts a part of b where the native product reads it: in rows, or across. */
  fill(inner: Tile, columns: Tile): void
  c: Address
  cRow: number
  cPanel: number
  rows: number
  columns: number
  inner: number
  accumulate: 0 | 1
  /** Computes a part by the kernels. */
  compute(rows: Tile, columns: Tile): void
}

/** The kernels with large products computed by a native library, a tile at a time, to the same bits. Tiles for which it has others, and what is left, remain theirs. */
export function withNativeProducts({ product, guard }: Native, { kernels, set, floats, scratch }: NativeMemory): Kernels {
  const agreement = new Agreement(product, set, guard)
  const row = tileRow(guard)
  const result = scratch + productDepth * row * 4

  function run(whole: Product): void {
    const [rows, columns] = [rowTiles(whole.rows), columnTiles(whole.columns)]
    const parts = depthTiles(whole.inner)
    for (const column of columns) {
      const agreeing = rows.filter((tile) => {
        const shape = { operation: whole.operation, rows: tile.count, columns: column.count }
        const agrees = parts.every(({ count }) => agreement.has({ ...shape, inner: count }))
        if (!agrees) whole.compute(tile, column)
        return agrees
      })
      if (agreeing.length === 0) continue
      for (const part of parts) {
        whole.fill(part, column)
        for (const tile of agreeing) multiplyTile(whole, { rows: tile, columns: column, inner: part })
      }
    }
    const [toRow, toColumn] = [endOf(rows), endOf(columns)]
    if (toColumn < whole.columns) whole.compute({ first: 0, count: toRow }, { first: toColumn, count: whole.columns - toColumn })
    if (toRow < whole.rows) whole.compute({ first: toRow, count: whole.rows - toRow }, { first: 0, count: whole.columns })
  }

  function multiplyTile(whole: Product, { rows, columns, inner }: { rows: Tile; columns: Tile; inner: Tile }): void {
    const { operation, aRow, c, cRow, cPanel } = whole
    const a = floats(whole.a(rows.first, inner.first), 1)
    const b = floats(scratch, 1)
    const bRow = operation === 'nt' ? productDepth : row
    const added = inner.first > 0 ? 1 : whole.accumulate
    const target = c + ((columns.first / 8) * cPanel + rows.first * cRow) * 4
    if (guard === 0 && cPanel === 8) {
      product(operation, rows.count, columns.count, inner.count, a, aRow, b, bRow, added, floats(target, 1), cRow)
      return
    }
    const within = result + guard * 4
    if (added) kernels.copyTile(target, 0, cRow, cPanel, within, row, 8, rows.count, columns.count)
    product(operation, rows.count, columns.count + 2 * guard, inner.count, a, aRow, b, bRow, added, floats(result, 1), row)
    kernels.copyTile(within, 0, row, 8, target, cRow, cPanel, rows.count, columns.count)
  }

  return {
    ...kernels,
    matmul(...args) {
      const [a, aRow, aColumn, b, bRow, bPanel, c, cRow, cPanel, rows, columns, inner, accumulate] = args
      if (!isLarge(rows, columns, inner) || (aRow !== 1 && aColumn !== 1)) return kernels.matmul(...args)
      const at = (row: number, k: number) => a + (row * aRow + k * aColumn) * 4
      run({
        operation: aColumn === 1 ? 'nn' : 'tn',
        a: at,
        aRow: aColumn === 1 ? aRow : aColumn,
        fill(part, taken) {
          const from = b + ((taken.first / 8) * bPanel + part.first * bRow) * 4
          kernels.copyTile(from, 0, bRow, bPanel, scratch + guard * 4, row, 8, part.count, taken.count)
        },
        c,
        cRow,
        cPanel,
        rows,
        columns,
        inner,
        accumulate,
        compute(of, taken) {
          const [fromB, toC] = [b + (taken.first / 8) * bPanel * 4, c + ((taken.first / 8) * cPanel + of.first * cRow) * 4]
          kernels.matmul(
            ...([at(of.first, 0), aRow, aColumn, fromB, bRow, bPanel] as const),
            ...([toC, cRow, cPanel, of.count, taken.count, inner, accumulate] as const),
          )
        },
      })
    },
    multiplyBfloat16(...args) {
      const [x, rows, panels, inner, columns, y, yRow, accumulate] = args
      if (!isLarge(rows, columns, inner)) return kernels.multiplyBfloat16(...args)
      run({
        operation: 'nn',
        a: (of, k) => x + (of * inner + k) * 4,
        aRow: inner,
        fill(part, taken) {
          const from = panels + (taken.first * inner + part.first * 8) * 2
          kernels.copyTile(from, 1, 8, inner * 8, scratch + guard * 4, row, 8, part.count, taken.count)
        },
        c: y,
        cRow: yRow,
        cPanel: 8,
        rows,
        columns,
        inner,
        accumulate,
        compute(of, taken) {
          const [from, to] = [panels + taken.first * inner * 2, y + (of.first * yRow + taken.first) * 4]
          kernels.multiplyBfloat16(x + of.first * inner * 4, of.count, from, inner, taken.count, to, yRow, accumulate)
        },
      })
    },
    multiplyTransposedBfloat16(...args) {
      const [dy, rows, panels, inner, columns, dx, first, taken, accumulate, part, panel] = args
      if (!isLarge(rows, taken, columns)) return kernels.multiplyTransposedBfloat16(...args)
      run({
        operation: 'nt',
        a: (of, k) => dy + (of * columns + k) * 4,
        aRow: columns,
        fill(terms, across) {
          const from = panels + (terms.first * inner + (first + across.first) * 8) * 2
          kernels.copyTile(from, 1, 8, inner * 8, scratch + guard * productDepth * 4, productDepth, 8, across.count, terms.count)
        },
        c: dx + first * 4,
        cRow: inner,
        cPanel: 8,
        rows,
        columns: taken,
        inner: columns,
        accumulate,
        compute(of, across) {
          const [from, to] = [dy + of.first * columns * 4, dx + of.first * inner * 4]
          const target = [to, first + across.first, across.count] as const
          kernels.multiplyTransposedBfloat16(from, of.count, panels, inner, columns, ...target, accumulate, part, panel)
        },
      })
    },
  }
}

function isLarge(rows: number, columns: number, inner: number): boolean {
  return inner >= minInner && rowTiles(rows).length > 0 && columnTiles(columns).length > 0
}
