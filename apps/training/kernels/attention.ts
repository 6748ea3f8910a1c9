import { matmul, transpose } from './matrix'
import { exponential, maximumOf, multiplyAdd, sumOf } from './vector'

/** Query rows at a time; keys after the last of them are skipped. */
const blockRows = 32

/** Floats of scratch memory for `attention`; `attentionBackward` needs twice that. */
export function attentionScratch(length: i32, headWidth: i32): i32 {
  return (headWidth + blockRows) * padded(length)
}

/** Steps of one head: each computes `blockRows` queries, the last one the rest. */
export function attentionSteps(length: i32): i32 {
  return (length + blockRows - 1) / blockRows
}

function padded(length: i32): i32 {
  return (length + 7) & ~7
}

/**
 * Causal attention of one sequence. queries, out [length, heads headWidth]; keys, values [length, groups headWidth], heads share the keys of their
 * group (Ainslie et al. 2023). `logSums` [heads, length] keeps the values from which the backward pass recomputes the probabilities. Computes `count`
 * steps from `first` on, of heads times `attentionSteps`; calls compute all of them in order, and leave the scratch to each other.
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
  first: i32,
  count: i32,
): void {
  const stride = padded(length)
  const keysAcross = scratch
  const scores = scratch + ((<usize>(headWidth * stride)) << 2)
  const queryRow = heads * headWidth
  const keyRow = groups * headWidth
  const perGroup = heads / groups
  const perHead = attentionSteps(length)
  for (let step = first; step < first + count; step++) {
    const h = step / perHead
    const from = (step % perHead) * blockRows
    const offset = (<usize>((h / perGroup) * headWidth)) << 2
    if (from === 0 && h % perGroup === 0) transpose(keys + offset, keyRow, keysAcross, stride, length, headWidth)
    const rows = min(blockRows, length - from)
    const seen = from + rows
    const at = (<usize>(from * queryRow + h * headWidth)) << 2
    matmul(queries + at, queryRow, 1, keysAcross, stride, 8, scores, stride, 8, rows, padded(seen), headWidth, 0)
    softmax(scores, stride, from, rows, factor, logSums + ((<usize>(h * length + from)) << 2))
    matmul(scores, stride, 1, values + offset, keyRow, 8, out + at, queryRow, 8, rows, headWidth, seen, 0)
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

/** dQueries is set; dKeys and dValues are added to. `dOut` is the gradient of `attention`'s out. In steps, as `attention`. */
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
  first: i32,
  count: i32,
): void {
  const stride = padded(length)
  const keysAcross = scratch
  const valuesAcross = keysAcross + ((<usize>(headWidth * stride)) << 2)
  const scores = valuesAcross + ((<usize>(headWidth * stride)) << 2)
  const dScores = scores + ((<usize>(blockRows * stride)) << 2)
  const queryRow = heads * headWidth
  const keyRow = groups * headWidth
  const perGroup = heads / groups
  const perHead = attentionSteps(length)
  for (let step = first; step < first + count; step++) {
    const h = step / perHead
    const from = (step % perHead) * blockRows
    const offset = (<usize>((h / perGroup) * headWidth)) << 2
    if (from === 0 && h % perGroup === 0) {
      transpose(keys + offset, keyRow, keysAcross, stride, length, headWidth)
      transpose(values + offset, keyRow, valuesAcross, stride, length, headWidth)
    }
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

/**
 * Causal attention of rows that follow each other in a sequence, the first of them at `position`, to themselves and all tokens before, to the bit as
 * `attention` computes it. queries, out [rows, heads headWidth]; keys as `addKeys` stores them; values [tokens, groups headWidth]; scratch for the scores
 * of `most` rows at a time, [most, tokens + 1], with tokens padded to a multiple of 8.
 */
export function attentionOfRows(
  queries: usize,
  keys: usize,
  values: usize,
  out: usize,
  rows: i32,
  position: i32,
  capacity: i32,
  heads: i32,
  groups: i32,
  headWidth: i32,
  factor: f32,
  most: i32,
  scratch: usize,
): void {
  const stride = padded(position + rows)
  const logSums = scratch + ((<usize>(most * stride)) << 2)
  const queryRow = heads * headWidth
  const keyRow = groups * headWidth
  const perGroup = heads / groups
  for (let h = 0; h < heads; h++) {
    const group = h / perGroup
    const ofGroup = keys + ((<usize>group * <usize>(padded(capacity) * headWidth)) << 2)
    for (let i = 0; i < rows; i += most) {
      const part = min(most, rows - i)
      const from = position + i
      const seen = from + part
      const at = (<usize>(i * queryRow + h * headWidth)) << 2
      matmul(queries + at, queryRow, 1, ofGroup, 8, headWidth << 3, scratch, stride, 8, part, padded(seen), headWidth, 0)
      softmax(scratch, stride, from, part, factor, logSums)
      const ofValues = values + ((<usize>(group * headWidth)) << 2)
      matmul(scratch, stride, 1, ofValues, keyRow, 8, out + at, queryRow, 8, part, headWidth, seen, 0)
    }
  }
}

/**
 * Stores keys, [rows, groups headWidth], of tokens from `position` on in panels of eight tokens, [groups][capacity / 8][headWidth][8], as `matmul` takes
 * them. Capacity is padded to a multiple of 8.
 */
export function addKeys(from: usize, rows: i32, position: i32, capacity: i32, groups: i32, headWidth: i32, keys: usize): void {
  for (let t = position; t < position + rows; t++) {
    for (let g = 0; g < groups; g++) {
      let to = keys + (((<usize>(g * padded(capacity)) + <usize>(t & ~7)) * <usize>headWidth + <usize>(t & 7)) << 2)
      for (let j = 0; j < headWidth; j++) {
        store<f32>(to, load<f32>(from))
        from += 4
        to += 32
      }
    }
  }
}
