import { loadOne } from './bfloat16'
import { exponential, multiplyAdd, sumOf } from './vector'

/** x += y. All lengths in this file are multiples of 4. */
export function add(x: usize, y: usize, length: i32): void {
  for (let i: usize = 0, end = (<usize>length) << 2; i < end; i += 16) v128.store(x + i, f32x4.add(v128.load(x + i), v128.load(y + i)))
}

/** The target gets the numbers of the source. */
export function copy(source: usize, length: i32, target: usize): void {
  memory.copy(target, source, (<usize>length) << 2)
}

/** Each row of x, [rows, width], gets the vector in addition. */
export function addToRows(vector: usize, x: usize, rows: i32, width: i32): void {
  for (let r = 0; r < rows; r++) add(x + ((<usize>r * <usize>width) << 2), vector, width)
}

/** The vector gets the sum of the rows of x, [rows, width], in addition. */
export function addRowsTo(vector: usize, x: usize, rows: i32, width: i32): void {
  for (let r = 0; r < rows; r++) add(vector, x + ((<usize>r * <usize>width) << 2), width)
}

export function scale(x: usize, length: i32, factor: f32): void {
  const f = f32x4.splat(factor)
  for (let i: usize = 0, end = (<usize>length) << 2; i < end; i += 16) v128.store(x + i, f32x4.mul(v128.load(x + i), f))
}

/** Each row of x, [rows, width], times its factor. */
export function scaleRows(x: usize, rows: i32, width: i32, factors: usize): void {
  for (let r = 0; r < rows; r++) scale(x + ((<usize>r * <usize>width) << 2), width, load<f32>(factors + ((<usize>r) << 2)))
}

/** Adds the squares of x to four sums, of every fourth number each. */
export function addSquares(x: usize, length: i32, sums: usize): void {
  let even = v128.load(sums)
  let odd = v128.load(sums, 16)
  for (let i: usize = 0, end = (<usize>length) << 2; i < end; i += 16) {
    const v = v128.load(x + i)
    const low = f64x2.promote_low_f32x4(v)
    const high = f64x2.promote_low_f32x4(v128.shuffle<f32>(v, v, 2, 3, 0, 1))
    even = f64x2.add(even, f64x2.mul(low, low))
    odd = f64x2.add(odd, f64x2.mul(high, high))
  }
  v128.store(sums, even)
  v128.store(sums, odd, 16)
}

/** The gated activation of a Llama block (Shazeer 2020): silu(gate) up. */
export function swiglu(gate: usize, up: usize, out: usize, length: i32): void {
  const one = f32x4.splat(1)
  for (let i: usize = 0, end = (<usize>length) << 2; i < end; i += 16) {
    const x = v128.load(gate + i)
    const sigmoid = f32x4.div(one, f32x4.add(one, exponential(f32x4.neg(x))))
    v128.store(out + i, f32x4.mul(f32x4.mul(x, sigmoid), v128.load(up + i)))
  }
}

export function swigluBackward(gate: usize, up: usize, dOut: usize, dGate: usize, dUp: usize, length: i32): void {
  const one = f32x4.splat(1)
  for (let i: usize = 0, end = (<usize>length) << 2; i < end; i += 16) {
    const x = v128.load(gate + i)
    const d = v128.load(dOut + i)
    const sigmoid = f32x4.div(one, f32x4.add(one, exponential(f32x4.neg(x))))
    const silu = f32x4.mul(x, sigmoid)
    const slope = f32x4.mul(sigmoid, f32x4.add(one, f32x4.sub(x, silu)))
    const toGate = f32x4.mul(f32x4.mul(d, v128.load(up + i)), slope)
    v128.store(dUp + i, f32x4.mul(d, silu))
    v128.store(dGate + i, toGate)
  }
}

/** out = x / rms(x) weight for each row (Zhang and Sennrich 2019); keeps 1 / rms of each row. */
export function rmsNorm(x: usize, weight: usize, out: usize, inverse: usize, rows: i32, width: i32, epsilon: f32): void {
  const end = (<usize>width) << 2
  for (let r = 0; r < rows; r++) {
    let squares = f32x4.splat(0)
    for (let j: usize = 0; j < end; j += 16) {
      const v = v128.load(x + j)
      squares = multiplyAdd(v, v, squares)
    }
    const s: f32 = <f32>1 / sqrt<f32>(sumOf(squares) / <f32>width + epsilon)
    store<f32>(inverse + ((<usize>r) << 2), s)
    const sv = f32x4.splat(s)
    for (let j: usize = 0; j < end; j += 16) v128.store(out + j, f32x4.mul(f32x4.mul(v128.load(x + j), sv), v128.load(weight + j)))
    x += end
    out += end
  }
}

/** dx += the gradient of the input, dWeight += that of the weight. */
export function rmsNormBackward(
  x: usize,
  weight: usize,
  inverse: usize,
  dOut: usize,
  dx: usize,
  dWeight: usize,
  rows: i32,
  width: i32,
): void {
  const end = (<usize>width) << 2
  for (let r = 0; r < rows; r++) {
    const s = load<f32>(inverse + ((<usize>r) << 2))
    const sv = f32x4.splat(s)
    let dot = f32x4.splat(0)
    for (let j: usize = 0; j < end; j += 16) {
      const xv = v128.load(x + j)
      const d = v128.load(dOut + j)
      dot = multiplyAdd(f32x4.mul(xv, d), v128.load(weight + j), dot)
      v128.store(dWeight + j, multiplyAdd(d, f32x4.mul(xv, sv), v128.load(dWeight + j)))
    }
    const c = f32x4.splat((sumOf(dot) * s * s * s) / <f32>width)
    for (let j: usize = 0; j < end; j += 16) {
      const own = f32x4.mul(f32x4.mul(v128.load(dOut + j), v128.load(weight + j)), sv)
      v128.store(dx + j, f32x4.add(v128.load(dx + j), f32x4.sub(own, f32x4.mul(v128.load(x + j), c))))
    }
    x += end
    dOut += end
    dx += end
  }
}

/**
 * Rotates the two halves of each head by the angle of the row's position (Su et al. 2021), in the layout of Llama checkpoints. Positions increase by
 * one from `position`; `cosines` and `sines` are [positions, headWidth / 2]. A sign of -1 rotates back.
 */
export function rotate(
  x: usize,
  rowLength: i32,
  rows: i32,
  heads: i32,
  headWidth: i32,
  cosines: usize,
  sines: usize,
  position: i32,
  sign: f32,
): void {
  const half = (<usize>(headWidth >> 1)) << 2
  const signs = f32x4.splat(sign)
  for (let r = 0; r < rows; r++) {
    const angles = <usize>(position + r) * half
    let head = x + ((<usize>r * <usize>rowLength) << 2)
    for (let h = 0; h < heads; h++) {
      for (let j: usize = 0; j < half; j += 16) {
        const low = v128.load(head + j)
        const high = v128.load(head + half + j)
        const c = v128.load(cosines + angles + j)
        const s = f32x4.mul(signs, v128.load(sines + angles + j))
        v128.store(head + j, f32x4.sub(f32x4.mul(low, c), f32x4.mul(high, s)))
        v128.store(head + half + j, f32x4.add(f32x4.mul(high, c), f32x4.mul(low, s)))
      }
      head += half << 1
    }
  }
}

/** out = a column of a matrix in packed panels, [columns / 8][inner][8], for each of `tokens`: the embedding of a token is its column. */
export function gatherColumns(panels: usize, inner: i32, tokens: usize, count: i32, out: usize): void {
  gather<f32>(panels, inner, tokens, count, out)
}

/** As `gatherColumns`, of a matrix in bfloat16. */
export function gatherBfloat16Columns(panels: usize, inner: i32, tokens: usize, count: i32, out: usize): void {
  gather<u16>(panels, inner, tokens, count, out)
}

function gather<T>(panels: usize, inner: i32, tokens: usize, count: i32, out: usize): void {
  for (let i = 0; i < count; i++) {
    let from = columnOf<T>(panels, inner, load<i32>(tokens + ((<usize>i) << 2)))
    for (let j = 0; j < inner; j++) {
      store<f32>(out, loadOne<T>(from))
      from += 8 << alignof<T>()
      out += 4
    }
  }
}

/** Adds row i of x, [count, inner], to the column of token i. */
export function addToColumns(panels: usize, inner: i32, tokens: usize, count: i32, x: usize): void {
  for (let i = 0; i < count; i++) {
    let to = columnOf<f32>(panels, inner, load<i32>(tokens + ((<usize>i) << 2)))
    for (let j = 0; j < inner; j++) {
      store<f32>(to, load<f32>(to) + load<f32>(x))
      to += 32
      x += 4
    }
  }
}

function columnOf<T>(panels: usize, inner: i32, column: i32): usize {
  return panels + ((<usize>(column >> 3) * <usize>inner * 8 + <usize>(column & 7)) << alignof<T>())
}

/** out = rows of x, [.., width], by their index. */
export function gatherRows(x: usize, width: i32, indices: usize, count: i32, out: usize): void {
  const bytes = (<usize>width) << 2
  for (let i = 0; i < count; i++) memory.copy(out + <usize>i * bytes, x + <usize>load<i32>(indices + ((<usize>i) << 2)) * bytes, bytes)
}

/** Rows of out, by their index, are set to the rows of x. */
export function scatterRows(x: usize, width: i32, indices: usize, count: i32, out: usize): void {
  const bytes = (<usize>width) << 2
  for (let i = 0; i < count; i++) memory.copy(out + <usize>load<i32>(indices + ((<usize>i) << 2)) * bytes, x + <usize>i * bytes, bytes)
}
