import { exponential, maximumOf, sumOf } from './vector'

/**
 * Turns rows of logits into probabilities in place, and computes the log-probability of each row's target and the row's entropy, in nats. `stride`
 * floats a row, of which the first `vocabulary` count; the others become 0.
 */
export function logProbabilities(
  logits: usize,
  stride: i32,
  vocabulary: i32,
  targets: usize,
  rows: i32,
  logProbability: usize,
  entropy: usize,
): void {
  const end = (<usize>((vocabulary + 3) & ~3)) << 2
  for (let r = 0; r < rows; r++) {
    const row = logits + ((<usize>(r * stride)) << 2)
    for (let j = (<usize>vocabulary) << 2; j < (<usize>stride) << 2; j += 4) store<f32>(row + j, -3e38)
    let peak = f32x4.splat(-3e38)
    for (let j: usize = 0; j < end; j += 16) peak = f32x4.max(peak, v128.load(row + j))
    const top = maximumOf(peak)
    const target = load<f32>(row + ((<usize>load<i32>(targets + ((<usize>r) << 2))) << 2))
    const tops = f32x4.splat(top)
    let sums = f32x4.splat(0)
    let weighted = f32x4.splat(0)
    for (let j: usize = 0; j < end; j += 16) {
      // Below this nothing counts, and the padding must not be an infinity times zero.
      const d = f32x4.max(f32x4.sub(v128.load(row + j), tops), f32x4.splat(-88))
      const e = exponential(d)
      v128.store(row + j, e)
      sums = f32x4.add(sums, e)
      weighted = f32x4.add(weighted, f32x4.mul(e, d))
    }
    const sum = sumOf(sums)
    const logSum = <f32>Math.log(<f64>sum)
    store<f32>(logProbability + ((<usize>r) << 2), target - top - logSum)
    store<f32>(entropy + ((<usize>r) << 2), logSum - sumOf(weighted) / sum)
    const inverse = f32x4.splat(<f32>1 / sum)
    for (let j: usize = 0; j < end; j += 16) v128.store(row + j, f32x4.mul(v128.load(row + j), inverse))
    for (let j = (<usize>vocabulary) << 2; j < (<usize>stride) << 2; j += 4) store<f32>(row + j, 0)
  }
}

/** Replaces the probabilities by the gradient of the sum of coefficient times log-probability with respect to the logits. */
export function logProbabilitiesBackward(probabilities: usize, stride: i32, targets: usize, coefficients: usize, rows: i32): void {
  for (let r = 0; r < rows; r++) {
    const row = probabilities + ((<usize>(r * stride)) << 2)
    const coefficient = load<f32>(coefficients + ((<usize>r) << 2))
    const factor = f32x4.splat(-coefficient)
    for (let j: usize = 0, end = (<usize>stride) << 2; j < end; j += 16) v128.store(row + j, f32x4.mul(v128.load(row + j), factor))
    const target = row + ((<usize>load<i32>(targets + ((<usize>r) << 2))) << 2)
    store<f32>(target, load<f32>(target) + coefficient)
  }
}
