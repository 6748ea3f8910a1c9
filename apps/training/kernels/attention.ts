import { matmul, transpose } from './matrix'
import { exponential, maximumOf, multiplyAdd, sumOf } from './vector'

/** Query rows at a time; keys after the last of them are skipped. */
const blockRows = 32

/** Floats of scratch memory for `attention`; `attentionBackward` needs twice that. */
export function attentionScratch(length: i32, headWidth: i32): i32 {
  return (headWidth + blockRows) * padded(length)
}

function padded(length: i32): i32 {
  return (length + 7) & ~7
}

/**
 * Causal attention of one sequence. queries, out [length, heads headWidth]; keys, values [length, groups headWidth], heads share the keys of their
 * group (Ainslie et al. 2023). `logSums` [heads, length] keeps the values from which the backward pass recomputes the probabilities.
 */
export function attention(
  queries: usize,
  keys: usize,
  values: usize,
  out: usize,
  logSums: usize,
  length: i32,
  heads: i32,
  groups: i32,
  headWidth: i32,
  factor: f32,
  scratch: usize,
): void {
  const stride = padded(length)
  const keysAcross = scratch
  const scores = scratch + ((<usize>(headWidth * stride)) << 2)
  const queryRow = heads * headWidth
  const keyRow = groups * headWidth
  const perGroup = heads / groups
  for (let g = 0; g < groups; g++) {
    const offset = (<usize>(g * headWidth)) << 2
    transpose(keys + offset, keyRow, keysAcross, stride, length, headWidth)
    for (let h = g * perGroup; h < (g + 1) * perGroup; h++) {
      for (let from = 0; from < length; from += blockRows) {
        const rows = min(blockRows, length - from)
        const seen = from + rows
        const at = (<usize>(from * queryRow + h * headWidth)) << 2
        matmul(queries + at, queryRow, 1, keysAcross, stride, 8, scores, stride, 8, rows, padded(seen), headWidth, 0)
        softmax(scores, stride, from, rows, factor, logSums + ((<usize>(h * length + from)) << 2))
        matmul(scores, stride, 1, values + offset, keyRow, 8, out + at, queryRow, 8, rows, headWidth, seen, 0)
      }
    }
  }
}

/** Probabilities of the keys up to each row's own, 0 for the rest of the block. */
function softmax(scores: usize, stride: i32, from: i32, rows: i32, factor: f32, logSums: usize): void {
  const width = (<usize>padded(from + rows)) << 2
  const f = f32x4.splat(factor)
  for (let r = 0; r < rows; r++) {
    const row = scores + ((<usize>(r * stride)) << 2)
    mask(row, from + r + 1, width, -3e38)
    let peak = f32x4.splat(-3e38)
    for (let j: usize = 0; j < width; j += 16) peak = f32x4.max(peak, v128.load(row + j))
    const top = maximumOf(peak) * factor
    const tops = f32x4.splat(top)
    let sums = f32x4.splat(0)
    for (let j: usize = 0; j < width; j += 16) {
      const e = exponential(f32x4.sub(f32x4.mul(v128.load(row + j), f), tops))
      v128.store(row + j, e)
      sums = f32x4.add(sums, e)
    }
    const sum = sumOf(sums)
    store<f32>(logSums + ((<usize>r) << 2), top + <f32>Math.log(<f64>sum))
    const inverse = f32x4.splat(<f32>1 / sum)
    for (let j: usize = 0; j < width; j += 16) v128.store(row + j, f32x4.mul(v128.load(row + j), inverse))
    mask(row, from + r + 1, width, 0)
  }
}

function mask(row: usize, kept: i32, width: usize, value: f32): void {
  for (let j = (<usize>kept) << 2; j < width; j += 4) store<f32>(row + j, value)
}

/** dQueries is set; dKeys and dValues are added to. `dOut` is the gradient of `attention`'s out. */
export function attentionBackward(
  queries: usize,
  keys: usize,
  values: usize,
  logSums: usize,
  dOut: usize,
  dQueries: usize,
  dKeys: usize,
  dValues: usize,
  length: i32,
  heads: i32,
  groups: i32,
  headWidth: i32,
  factor: f32,
  scratch: usize,
): void {
  const stride = padded(length)
  const keysAcross = scratch
  const valuesAcross = keysAcross + ((<usize>(headWidth * stride)) << 2)
  const scores = valuesAcross + ((<usize>(headWidth * stride)) << 2)
  const dScores = scores + ((<usize>(blockRows * stride)) << 2)
  const queryRow = heads * headWidth
  const keyRow = groups * headWidth
  const perGroup = heads / groups
  for (let g = 0; g < groups; g++) {
    const offset = (<usize>(g * headWidth)) << 2
    transpose(keys + offset, keyRow, keysAcross, stride, length, headWidth)
    transpose(values + offset, keyRow, valuesAcross, stride, length, headWidth)
    for (let h = g * perGroup; h < (g + 1) * perGroup; h++) {
      for (let from = 0; from < length; from += blockRows) {
        const rows = min(blockRows, length - from)
        const seen = from + rows
        const at = (<usize>(from * queryRow + h * headWidth)) << 2
        matmul(queries + at, queryRow, 1, keysAcross, stride, 8, scores, stride, 8, rows, padded(seen), headWidth, 0)
        probabilities(scores, stride, from, rows, factor, logSums + ((<usize>(h * length + from)) << 2))
        matmul(dOut + at, queryRow, 1, valuesAcross, stride, 8, dScores, stride, 8, rows, padded(seen), headWidth, 0)
        matmul(scores, 1, stride, dOut + at, queryRow, 8, dValues + offset, keyRow, 8, seen, headWidth, rows, 1)
        softmaxBackward(scores, dScores, stride, from, rows, factor)
        matmul(dScores, stride, 1, keys + offset, keyRow, 8, dQueries + at, queryRow, 8, rows, headWidth, seen, 0)
        matmul(dScores, 1, stride, queries + at, queryRow, 8, dKeys + offset, keyRow, 8, seen, headWidth, rows, 1)
      }
    }
  }
}

function probabilities(scores: usize, stride: i32, from: i32, rows: i32, factor: f32, logSums: usize): void {
  const width = (<usize>padded(from + rows)) << 2
  const f = f32x4.splat(factor)
  for (let r = 0; r < rows; r++) {
    const row = scores + ((<usize>(r * stride)) << 2)
    const logSum = f32x4.splat(load<f32>(logSums + ((<usize>r) << 2)))
    for (let j: usize = 0; j < width; j += 16) v128.store(row + j, exponential(f32x4.sub(f32x4.mul(v128.load(row + j), f), logSum)))
    mask(row, from + r + 1, width, 0)
  }
}

/** dScores becomes P (dP - sum(P dP)) factor. */
function softmaxBackward(scores: usize, dScores: usize, stride: i32, from: i32, rows: i32, factor: f32): void {
  const width = (<usize>padded(from + rows)) << 2
  const f = f32x4.splat(factor)
  for (let r = 0; r < rows; r++) {
    const row = scores + ((<usize>(r * stride)) << 2)
    const dRow = dScores + ((<usize>(r * stride)) << 2)
    mask(dRow, from + r + 1, width, 0)
    let dot = f32x4.splat(0)
    for (let j: usize = 0; j < width; j += 16) dot = multiplyAdd(v128.load(row + j), v128.load(dRow + j), dot)
    const mean = f32x4.splat(sumOf(dot))
    for (let j: usize = 0; j < width; j += 16)
      v128.store(dRow + j, f32x4.mul(f, f32x4.mul(v128.load(row + j), f32x4.sub(v128.load(dRow + j), mean))))
  }
}

/** Attention of one new row to the `length` rows of a cache, itself among them. query, out [heads headWidth]; keys, values [length, groups headWidth]; scratch `length` + 4 floats. */
export function attentionOfOne(
  query: usize,
  keys: usize,
  values: usize,
  out: usize,
  length: i32,
  heads: i32,
  groups: i32,
  headWidth: i32,
  factor: f32,
  scratch: usize,
): void {
  const headBytes = (<usize>headWidth) << 2
  const rowBytes = <usize>groups * headBytes
  const perGroup = heads / groups
  for (let h = 0; h < heads; h++) {
    const q = query + <usize>h * headBytes
    const offset = <usize>(h / perGroup) * headBytes
    const sum = weigh(q, keys + offset, rowBytes, headBytes, length, factor, scratch)
    weightedSum(values + offset, rowBytes, headBytes, length, <f32>1 / sum, scratch, out + <usize>h * headBytes)
  }
}

/** Weights of the keys that are not divided by their sum, which is returned. */
function weigh(query: usize, keys: usize, rowBytes: usize, headBytes: usize, length: i32, factor: f32, weights: usize): f32 {
  const f = f32x4.splat(factor)
  const inFours = length & ~3
  let t = 0
  for (; t < inFours; t += 4) {
    v128.store(weights + ((<usize>t) << 2), f32x4.mul(fourDots(query, keys, rowBytes, headBytes), f))
    keys += rowBytes << 2
  }
  for (; t < length; t++) {
    let dot = f32x4.splat(0)
    for (let j: usize = 0; j < headBytes; j += 16) dot = multiplyAdd(v128.load(query + j), v128.load(keys + j), dot)
    store<f32>(weights + ((<usize>t) << 2), sumOf(dot) * factor)
    keys += rowBytes
  }
  const end = (<usize>((length + 3) & ~3)) << 2
  mask(weights, length, end, -3e38)
  let peak = f32x4.splat(-3e38)
  for (let j: usize = 0; j < end; j += 16) peak = f32x4.max(peak, v128.load(weights + j))
  const tops = f32x4.splat(maximumOf(peak))
  let sums = f32x4.splat(0)
  for (let j: usize = 0; j < end; j += 16) {
    const e = exponential(f32x4.sub(v128.load(weights + j), tops))
    v128.store(weights + j, e)
    sums = f32x4.add(sums, e)
  }
  return sumOf(sums)
}

/** The products of a query with four keys, side by side. */
function fourDots(query: usize, k0: usize, rowBytes: usize, headBytes: usize): v128 {
  const k1 = k0 + rowBytes
  const k2 = k1 + rowBytes
  const k3 = k2 + rowBytes
  let d0 = f32x4.splat(0)
  let d1 = f32x4.splat(0)
  let d2 = f32x4.splat(0)
  let d3 = f32x4.splat(0)
  for (let j: usize = 0; j < headBytes; j += 16) {
    const q = v128.load(query + j)
    d0 = multiplyAdd(q, v128.load(k0 + j), d0)
    d1 = multiplyAdd(q, v128.load(k1 + j), d1)
    d2 = multiplyAdd(q, v128.load(k2 + j), d2)
    d3 = multiplyAdd(q, v128.load(k3 + j), d3)
  }
  const low = f32x4.add(v128.shuffle<f32>(d0, d1, 0, 4, 1, 5), v128.shuffle<f32>(d0, d1, 2, 6, 3, 7))
  const high = f32x4.add(v128.shuffle<f32>(d2, d3, 0, 4, 1, 5), v128.shuffle<f32>(d2, d3, 2, 6, 3, 7))
  return f32x4.add(v128.shuffle<f32>(low, high, 0, 1, 4, 5), v128.shuffle<f32>(low, high, 2, 3, 6, 7))
}

function weightedSum(values: usize, rowBytes: usize, headBytes: usize, length: i32, factor: f32, weights: usize, out: usize): void {
  const f = f32x4.splat(factor)
  // Heads are multiples of eight numbers wide.
  for (let j: usize = 0; j < headBytes; j += 32) {
    let value = values + j
    let s0 = f32x4.splat(0)
    let s1 = f32x4.splat(0)
    for (let t = 0; t < length; t++) {
      const w = v128.load32_splat(weights + ((<usize>t) << 2))
      s0 = multiplyAdd(w, v128.load(value), s0)
      s1 = multiplyAdd(w, v128.load(value, 16), s1)
      value += rowBytes
    }
    v128.store(out + j, f32x4.mul(s0, f))
    v128.store(out + j, f32x4.mul(s1, f), 16)
  }
}
