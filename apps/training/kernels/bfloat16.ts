// Matrices in bfloat16: the upper halves of single-precision numbers, in panels as those of `matmul`, [columns / 8][inner][8].
import { multiplyAdd } from './vector'

/** Rows of a panel that are multiplied at a time, as by `matmul`. */
const depth = 256

/** The four numbers of the lower half of eight. */
function lowOf(halves: v128): v128 {
  return v128.shuffle<i16>(i16x8.splat(0), halves, 0, 8, 1, 9, 2, 10, 3, 11)
}

function highOf(halves: v128): v128 {
  return v128.shuffle<i16>(i16x8.splat(0), halves, 4, 12, 5, 13, 6, 14, 7, 15)
}

/** y = x W, or y += x W, to the bit as `matmul` computes it from the same numbers in single precision. x is [rows, inner], y [rows, columns], both row-major. */
export function multiplyBfloat16(x: usize, rows: i32, panels: usize, inner: i32, columns: i32, y: usize, accumulate: i32): void {
  const inFours = rows & ~3
  const xRow = (<usize>inner) << 2
  const yRow = (<usize>columns) << 2
  const panelBytes = (<usize>inner) << 4
  for (let k = 0; k < inner; k += depth) {
    const part = min(depth, inner - k)
    const from = x + ((<usize>k) << 2)
    const start = panels + ((<usize>k) << 4)
    const adds = accumulate | i32(k > 0)
    for (let p = 0; p < columns >> 3; p++) {
      const panel = start + <usize>p * panelBytes
      const to = y + ((<usize>p) << 5)
      for (let i = 0; i < inFours; i += 4) fourRows(from + <usize>i * xRow, xRow, panel, to + <usize>i * yRow, yRow, part, adds)
    }
    for (let i = inFours; i < rows; i++) {
      const row = from + <usize>i * xRow
      const to = y + <usize>i * yRow
      let p = 0
      for (; p + 4 <= columns >> 3; p += 4) fourPanels(row, start + <usize>p * panelBytes, panelBytes, to + ((<usize>p) << 5), part, adds)
      for (; p < columns >> 3; p++) onePanel(row, start + <usize>p * panelBytes, to + ((<usize>p) << 5), part, adds)
    }
  }
}

function fourRows(x0: usize, xRow: usize, panel: usize, y0: usize, yRow: usize, inner: i32, accumulate: i32): void {
  let x1 = x0 + xRow
  let x2 = x1 + xRow
  let x3 = x2 + xRow
  const y1 = y0 + yRow
  const y2 = y1 + yRow
  const y3 = y2 + yRow
  let s00 = f32x4.splat(0)
  let s01 = s00,
    s10 = s00,
    s11 = s00,
    s20 = s00,
    s21 = s00,
    s30 = s00,
    s31 = s00
  if (accumulate) {
    s00 = v128.load(y0)
    s01 = v128.load(y0, 16)
    s10 = v128.load(y1)
    s11 = v128.load(y1, 16)
    s20 = v128.load(y2)
    s21 = v128.load(y2, 16)
    s30 = v128.load(y3)
    s31 = v128.load(y3, 16)
  }
  for (let k = 0; k < inner; k++) {
    const halves = v128.load(panel)
    const low = lowOf(halves)
    const high = highOf(halves)
    const a0 = v128.load32_splat(x0)
    s00 = multiplyAdd(a0, low, s00)
    s01 = multiplyAdd(a0, high, s01)
    const a1 = v128.load32_splat(x1)
    s10 = multiplyAdd(a1, low, s10)
    s11 = multiplyAdd(a1, high, s11)
    const a2 = v128.load32_splat(x2)
    s20 = multiplyAdd(a2, low, s20)
    s21 = multiplyAdd(a2, high, s21)
    const a3 = v128.load32_splat(x3)
    s30 = multiplyAdd(a3, low, s30)
    s31 = multiplyAdd(a3, high, s31)
    x0 += 4
    x1 += 4
    x2 += 4
    x3 += 4
    panel += 16
  }
  v128.store(y0, s00)
  v128.store(y0, s01, 16)
  v128.store(y1, s10)
  v128.store(y1, s11, 16)
  v128.store(y2, s20)
  v128.store(y2, s21, 16)
  v128.store(y3, s30)
  v128.store(y3, s31, 16)
}

/** One row against four panels at a time: with one panel, each sum would wait for the one before. */
function fourPanels(x: usize, p0: usize, panelBytes: usize, y: usize, inner: i32, accumulate: i32): void {
  let p1 = p0 + panelBytes
  let p2 = p1 + panelBytes
  let p3 = p2 + panelBytes
  let s00 = f32x4.splat(0)
  let s01 = s00,
    s10 = s00,
    s11 = s00,
    s20 = s00,
    s21 = s00,
    s30 = s00,
    s31 = s00
  if (accumulate) {
    s00 = v128.load(y)
    s01 = v128.load(y, 16)
    s10 = v128.load(y, 32)
    s11 = v128.load(y, 48)
    s20 = v128.load(y, 64)
    s21 = v128.load(y, 80)
    s30 = v128.load(y, 96)
    s31 = v128.load(y, 112)
  }
  for (let k = 0; k < inner; k++) {
    const a = v128.load32_splat(x)
    const h0 = v128.load(p0)
    s00 = multiplyAdd(a, lowOf(h0), s00)
    s01 = multiplyAdd(a, highOf(h0), s01)
    const h1 = v128.load(p1)
    s10 = multiplyAdd(a, lowOf(h1), s10)
    s11 = multiplyAdd(a, highOf(h1), s11)
    const h2 = v128.load(p2)
    s20 = multiplyAdd(a, lowOf(h2), s20)
    s21 = multiplyAdd(a, highOf(h2), s21)
    const h3 = v128.load(p3)
    s30 = multiplyAdd(a, lowOf(h3), s30)
    s31 = multiplyAdd(a, highOf(h3), s31)
    x += 4
    p0 += 16
    p1 += 16
    p2 += 16
    p3 += 16
  }
  v128.store(y, s00)
  v128.store(y, s01, 16)
  v128.store(y, s10, 32)
  v128.store(y, s11, 48)
  v128.store(y, s20, 64)
  v128.store(y, s21, 80)
  v128.store(y, s30, 96)
  v128.store(y, s31, 112)
}

function onePanel(x: usize, panel: usize, y: usize, inner: i32, accumulate: i32): void {
  let s0 = f32x4.splat(0)
  let s1 = s0
  if (accumulate) {
    s0 = v128.load(y)
    s1 = v128.load(y, 16)
  }
  for (let k = 0; k < inner; k++) {
    const a = v128.load32_splat(x)
    const halves = v128.load(panel)
    s0 = multiplyAdd(a, lowOf(halves), s0)
    s1 = multiplyAdd(a, highOf(halves), s1)
    x += 4
    panel += 16
  }
  v128.store(y, s0)
  v128.store(y, s1, 16)
}

/** Panel `q` of the transpose, [columns][8] in single precision: rows 8 q to 8 q + 7 of a matrix in panels. */
export function transposedBfloat16Panel(panels: usize, inner: i32, columns: i32, q: i32, target: usize): void {
  for (let p = 0; p < columns >> 3; p++) {
    const from = panels + ((<usize>p * <usize>inner + ((<usize>q) << 3)) << 4)
    const to = target + ((<usize>p) << 8)
    for (let r: usize = 0; r < 8; r++)
      for (let c: usize = 0; c < 8; c++) store<u32>(to + (c << 5) + (r << 2), (<u32>load<u16>(from + (r << 4) + (c << 1))) << 16)
  }
}

/** out = a column of a matrix in panels, in single precision, for each of `tokens`, as `gatherColumns`. */
export function gatherBfloat16Columns(panels: usize, inner: i32, tokens: usize, count: i32, out: usize): void {
  for (let i = 0; i < count; i++) {
    const column = load<i32>(tokens + ((<usize>i) << 2))
    let from = panels + ((<usize>(column >> 3) * <usize>inner) << 4) + ((<usize>(column & 7)) << 1)
    for (let j = 0; j < inner; j++) {
      store<u32>(out, (<u32>load<u16>(from)) << 16)
      from += 16
      out += 4
    }
  }
}
