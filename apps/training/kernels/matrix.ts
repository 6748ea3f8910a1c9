import { loadHigh, loadLow } from './bfloat16'
import { multiplyAdd } from './vector'

/**
 * Rows of B that are multiplied at a time: one panel of them fits in the first-level cache. Their terms are summed from zero, then added to the element.
 * `productDepth` of native products is the same.
 */
const depth = 256

/**
 * C = A B, or C += A B. A is [rows, inner], its element (i, k) at `a + 4 (i aRow + k aColumn)`. B is [inner, columns] and C [rows, columns], both in
 * panels of eight columns: the eight elements of row k in panel p are at `b + 4 (p bPanel + k bRow)`. So a row-major matrix has panels 8 apart.
 * `columns` is a multiple of 8. Each element is summed over k in order, in sums of `depth` terms that are added to it one after the other,
 * whatever the shape: a row of C does not depend on the other rows of A, and a native library that sums so has the same bits.
 */
export function matmul(
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bRow: i32,
  bPanel: i32,
  c: usize,
  cRow: i32,
  cPanel: i32,
  rows: i32,
  columns: i32,
  inner: i32,
  accumulate: i32,
): void {
  multiply<f32>(a, aRow, aColumn, b, bRow, bPanel, c, cRow, cPanel, rows, columns, inner, accumulate)
}

/**
 * y = x W, or y += x W, to the bit as `matmul` computes it from the same numbers in single precision. x is [rows, inner], y [rows, columns] in rows of
 * `yRow` floats; W is in bfloat16, in packed panels, [columns / 8][inner][8].
 */
export function multiplyBfloat16(x: usize, rows: i32, panels: usize, inner: i32, columns: i32, y: usize, yRow: i32, accumulate: i32): void {
  multiply<u16>(x, inner, 1, panels, 8, inner << 3, y, yRow, 8, rows, columns, inner, accumulate)
}

/**
 * dx = dy W^T, or dx += dy W^T, to the bit as `matmul` computes it with the transpose in single precision; of dx `taken` columns from `first` on, both
 * multiples of 8. dy is [rows, columns], dx [rows, inner], both row-major; W as in `multiplyBfloat16`. Its transpose is made `part` columns at a time, a
 * multiple of `depth`, in scratch for [part, 8] floats.
 */
export function multiplyTransposedBfloat16(
  dy: usize,
  rows: i32,
  panels: usize,
  inner: i32,
  columns: i32,
  dx: usize,
  first: i32,
  taken: i32,
  accumulate: i32,
  part: i32,
  scratch: usize,
): void {
  for (let from = 0; from < columns; from += part) {
    const across = min(part, columns - from)
    const ofPart = panels + ((<usize>from * <usize>inner) << 1)
    for (let q = first >> 3; q < (first + taken) >> 3; q++) {
      transposedPanel<u16>(ofPart, inner, across, q, scratch)
      const target = dx + ((<usize>q) << 5)
      const added = accumulate | i32(from > 0)
      multiply<f32>(dy + ((<usize>from) << 2), columns, 1, scratch, 8, 0, target, inner, 8, rows, 8, across, added)
    }
  }
}

/** As `matmul`, with B in format T. The strides of B count its elements. */
function multiply<T>(
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bRow: i32,
  bPanel: i32,
  c: usize,
  cRow: i32,
  cPanel: i32,
  rows: i32,
  columns: i32,
  inner: i32,
  accumulate: i32,
): void {
  const columnStep = (<usize>aColumn) << 2
  for (let k = 0; k < inner; k += depth) {
    const part = min(depth, inner - k)
    const from = a + <usize>k * columnStep
    const bFrom = b + ((<usize>k * <usize>bRow) << alignof<T>())
    multiplyPart<T>(from, aRow, aColumn, bFrom, bRow, bPanel, c, cRow, cPanel, rows, columns, part, accumulate | i32(k > 0))
  }
  if (inner === 0 && !accumulate) clear(c, cRow, cPanel, rows, columns)
}

function clear(c: usize, cRow: i32, cPanel: i32, rows: i32, columns: i32): void {
  for (let p = 0; p < columns >> 3; p++)
    for (let i = 0; i < rows; i++) memory.fill(c + ((<usize>p * <usize>cPanel + <usize>i * <usize>cRow) << 2), 0, 32)
}

function multiplyPart<T>(
  a: usize,
  aRow: i32,
  aColumn: i32,
  b: usize,
  bRow: i32,
  bPanel: i32,
  c: usize,
  cRow: i32,
  cPanel: i32,
  rows: i32,
  columns: i32,
  inner: i32,
  accumulate: i32,
): void {
  const bPanelStep = (<usize>bPanel) << alignof<T>()
  const cPanelStep = (<usize>cPanel) << 2
  const aRowStep = (<usize>aRow) << 2
  const cRowStep = (<usize>cRow) << 2
  const inFours = rows & ~3
  for (let p = 0; p < columns >> 3; p++) {
    const panel = b + <usize>p * bPanelStep
    const target = c + <usize>p * cPanelStep
    for (let i = 0; i < inFours; i += 4)
      fourRows<T>(
        a + <usize>i * aRowStep,
        aRowStep,
        (<usize>aColumn) << 2,
        panel,
        (<usize>bRow) << alignof<T>(),
        target + <usize>i * cRowStep,
        cRowStep,
        inner,
        accumulate,
      )
  }
  for (let i = inFours; i < rows; i++)
    oneRow<T>(
      a + <usize>i * aRowStep,
      (<usize>aColumn) << 2,
      b,
      (<usize>bRow) << alignof<T>(),
      bPanelStep,
      c + <usize>i * cRowStep,
      cPanelStep,
      columns,
      inner,
      accumulate,
    )
}

function fourRows<T>(
  a0: usize,
  aRow: usize,
  aColumn: usize,
  b: usize,
  bRow: usize,
  c0: usize,
  cRow: usize,
  inner: i32,
  accumulate: i32,
): void {
  let a1 = a0 + aRow
  let a2 = a1 + aRow
  let a3 = a2 + aRow
  const c1 = c0 + cRow
  const c2 = c1 + cRow
  const c3 = c2 + cRow
  let s00 = f32x4.splat(0)
  let s01 = s00,
    s10 = s00,
    s11 = s00,
    s20 = s00,
    s21 = s00,
    s30 = s00,
    s31 = s00
  for (let k = 0; k < inner; k++) {
    const b0 = loadLow<T>(b)
    const b1 = loadHigh<T>(b)
    const x0 = v128.load32_splat(a0)
    s00 = multiplyAdd(x0, b0, s00)
    s01 = multiplyAdd(x0, b1, s01)
    const x1 = v128.load32_splat(a1)
    s10 = multiplyAdd(x1, b0, s10)
    s11 = multiplyAdd(x1, b1, s11)
    const x2 = v128.load32_splat(a2)
    s20 = multiplyAdd(x2, b0, s20)
    s21 = multiplyAdd(x2, b1, s21)
    const x3 = v128.load32_splat(a3)
    s30 = multiplyAdd(x3, b0, s30)
    s31 = multiplyAdd(x3, b1, s31)
    a0 += aColumn
    a1 += aColumn
    a2 += aColumn
    a3 += aColumn
    b += bRow
  }
  put(c0, s00, s01, accumulate)
  put(c1, s10, s11, accumulate)
  put(c2, s20, s21, accumulate)
  put(c3, s30, s31, accumulate)
}

/** One row against four panels at a time: with one panel, each sum would wait for the one before. */
function oneRow<T>(
  a: usize,
  aColumn: usize,
  b: usize,
  bRow: usize,
  bPanel: usize,
  c: usize,
  cPanel: usize,
  columns: i32,
  inner: i32,
  accumulate: i32,
): void {
  let p = 0
  for (; p + 4 <= columns >> 3; p += 4)
    fourPanels<T>(a, aColumn, b + <usize>p * bPanel, bRow, bPanel, c + <usize>p * cPanel, cPanel, inner, accumulate)
  for (; p < columns >> 3; p++) onePanel<T>(a, aColumn, b + <usize>p * bPanel, bRow, c + <usize>p * cPanel, inner, accumulate)
}

function fourPanels<T>(
  a: usize,
  aColumn: usize,
  b0: usize,
  bRow: usize,
  bPanel: usize,
  c0: usize,
  cPanel: usize,
  inner: i32,
  accumulate: i32,
): void {
  let b1 = b0 + bPanel
  let b2 = b1 + bPanel
  let b3 = b2 + bPanel
  const c1 = c0 + cPanel
  const c2 = c1 + cPanel
  const c3 = c2 + cPanel
  let s00 = f32x4.splat(0)
  let s01 = s00,
    s10 = s00,
    s11 = s00,
    s20 = s00,
    s21 = s00,
    s30 = s00,
    s31 = s00
  for (let k = 0; k < inner; k++) {
    const x = v128.load32_splat(a)
    s00 = multiplyAdd(x, loadLow<T>(b0), s00)
    s01 = multiplyAdd(x, loadHigh<T>(b0), s01)
    s10 = multiplyAdd(x, loadLow<T>(b1), s10)
    s11 = multiplyAdd(x, loadHigh<T>(b1), s11)
    s20 = multiplyAdd(x, loadLow<T>(b2), s20)
    s21 = multiplyAdd(x, loadHigh<T>(b2), s21)
    s30 = multiplyAdd(x, loadLow<T>(b3), s30)
    s31 = multiplyAdd(x, loadHigh<T>(b3), s31)
    a += aColumn
    b0 += bRow
    b1 += bRow
    b2 += bRow
    b3 += bRow
  }
  put(c0, s00, s01, accumulate)
  put(c1, s10, s11, accumulate)
  put(c2, s20, s21, accumulate)
  put(c3, s30, s31, accumulate)
}

function onePanel<T>(a: usize, aColumn: usize, b: usize, bRow: usize, c: usize, inner: i32, accumulate: i32): void {
  let s0 = f32x4.splat(0)
  let s1 = s0
  for (let k = 0; k < inner; k++) {
    const x = v128.load32_splat(a)
    s0 = multiplyAdd(x, loadLow<T>(b), s0)
    s1 = multiplyAdd(x, loadHigh<T>(b), s1)
    a += aColumn
    b += bRow
  }
  put(c, s0, s1, accumulate)
}

/** Eight sums, in addition to what is there or to zero. */
function put(c: usize, low: v128, high: v128, accumulate: i32): void {
  const zero = f32x4.splat(0)
  v128.store(c, f32x4.add(accumulate ? v128.load(c) : zero, low))
  v128.store(c, f32x4.add(accumulate ? v128.load(c, 16) : zero, high), 16)
}

/**
 * Copies a part of a matrix in panels of eight columns, as `matmul` describes them, to another. Columns are a multiple of 8. `isBfloat16` says that the source is
 * in bfloat16; its strides count elements.
 */
export function copyTile(
  source: usize,
  isBfloat16: i32,
  sourceRow: i32,
  sourcePanel: i32,
  target: usize,
  targetRow: i32,
  targetPanel: i32,
  rows: i32,
  columns: i32,
): void {
  if (isBfloat16) copyPanels<u16>(source, sourceRow, sourcePanel, target, targetRow, targetPanel, rows, columns)
  else copyPanels<f32>(source, sourceRow, sourcePanel, target, targetRow, targetPanel, rows, columns)
}

function copyPanels<T>(
  source: usize,
  sourceRow: i32,
  sourcePanel: i32,
  target: usize,
  targetRow: i32,
  targetPanel: i32,
  rows: i32,
  columns: i32,
): void {
  for (let p = 0; p < columns >> 3; p++) {
    let from = source + ((<usize>p * <usize>sourcePanel) << alignof<T>())
    let to = target + ((<usize>p * <usize>targetPanel) << 2)
    for (let r = 0; r < rows; r++) {
      v128.store(to, loadLow<T>(from))
      v128.store(to, loadHigh<T>(from), 16)
      from += (<usize>sourceRow) << alignof<T>()
      to += (<usize>targetRow) << 2
    }
  }
}

/** The transpose, row-major with `targetRow` floats a row, of a row-major [rows, columns] with `sourceRow` floats a row. */
export function transpose(source: usize, sourceRow: i32, target: usize, targetRow: i32, rows: i32, columns: i32): void {
  for (let r = 0; r < rows; r++) {
    let from = source + ((<usize>r * <usize>sourceRow) << 2)
    let to = target + ((<usize>r) << 2)
    for (let c = 0; c < columns; c++) {
      store<f32>(to, load<f32>(from))
      from += 4
      to += (<usize>targetRow) << 2
    }
  }
}

/**
 * `count` panels, from `first` on, of the transpose in packed panels, [inner / 8][columns][8], of a matrix in packed panels, [columns / 8][inner][8]. Both
 * are multiples of 8. The whole transpose begins at `target`.
 */
export function transposePanels(source: usize, inner: i32, columns: i32, target: usize, first: i32, count: i32): void {
  for (let q = first; q < first + count; q++) transposedPanel<f32>(source, inner, columns, q, target + ((<usize>q * <usize>columns) << 5))
}

/** Panel `q` of what `transposePanels` writes. */
function transposedPanel<T>(panels: usize, inner: i32, columns: i32, q: i32, target: usize): void {
  const row: usize = 8 << alignof<T>()
  for (let p = 0; p < columns >> 3; p++) {
    let from = panels + (<usize>p * <usize>inner + ((<usize>q) << 3)) * row
    const to = target + ((<usize>p) << 8)
    for (let half: usize = 0; half < 32; half += 16) {
      const r1 = from + row
      const r2 = r1 + row
      const r3 = r2 + row
      storeAcross(loadLow<T>(from), loadLow<T>(r1), loadLow<T>(r2), loadLow<T>(r3), to + half)
      storeAcross(loadHigh<T>(from), loadHigh<T>(r1), loadHigh<T>(r2), loadHigh<T>(r3), to + half + 128)
      from += 4 * row
    }
  }
}

/** Writes the transpose of four rows of four floats into rows of a panel, which are 32 bytes apart. */
function storeAcross(a: v128, b: v128, c: v128, d: v128, to: usize): void {
  const abLow = v128.shuffle<f32>(a, b, 0, 4, 1, 5)
  const cdLow = v128.shuffle<f32>(c, d, 0, 4, 1, 5)
  const abHigh = v128.shuffle<f32>(a, b, 2, 6, 3, 7)
  const cdHigh = v128.shuffle<f32>(c, d, 2, 6, 3, 7)
  v128.store(to, v128.shuffle<f32>(abLow, cdLow, 0, 1, 4, 5))
  v128.store(to, v128.shuffle<f32>(abLow, cdLow, 2, 3, 6, 7), 32)
  v128.store(to, v128.shuffle<f32>(abHigh, cdHigh, 0, 1, 4, 5), 64)
  v128.store(to, v128.shuffle<f32>(abHigh, cdHigh, 2, 3, 6, 7), 96)
}

/** Packs a row-major [inner, columns] with `row` floats a row into panels [columns / 8][inner][8]. */
export function pack(source: usize, row: i32, inner: i32, columns: i32, target: usize): void {
  for (let p = 0; p < columns >> 3; p++) {
    let from = source + ((<usize>p) << 5)
    let to = target + ((<usize>p * <usize>inner) << 5)
    for (let k = 0; k < inner; k++) {
      v128.store(to, v128.load(from))
      v128.store(to, v128.load(from, 16), 16)
      from += (<usize>row) << 2
      to += 32
    }
  }
}
