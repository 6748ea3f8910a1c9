/**
 * AdamW with decoupled weight decay (Loshchilov and Hutter 2019) on `length` weights, a multiple of 4. `gradientFactor` scales the gradients; `correction1` and
 * `correction2` are 1 - beta^step of the two moments.
 */
export function adamW(
  weights: usize,
  gradients: usize,
  first: usize,
  second: usize,
  length: i32,
  learningRate: f32,
  beta1: f32,
  beta2: f32,
  epsilon: f32,
  weightDecay: f32,
  correction1: f32,
  correction2: f32,
  gradientFactor: f32,
): void {
  const b1 = f32x4.splat(beta1)
  const b2 = f32x4.splat(beta2)
  const rest1 = f32x4.splat(1 - beta1)
  const rest2 = f32x4.splat(1 - beta2)
  const unbias1 = f32x4.splat(1 / correction1)
  const unbias2 = f32x4.splat(1 / correction2)
  const rate = f32x4.splat(learningRate)
  const floor = f32x4.splat(epsilon)
  const decay = f32x4.splat(1 - learningRate * weightDecay)
  const factor = f32x4.splat(gradientFactor)
  for (let i: usize = 0, end = (<usize>length) << 2; i < end; i += 16) {
    const g = f32x4.mul(factor, v128.load(gradients + i))
    const m = f32x4.add(f32x4.mul(b1, v128.load(first + i)), f32x4.mul(rest1, g))
    const v = f32x4.add(f32x4.mul(b2, v128.load(second + i)), f32x4.mul(rest2, f32x4.mul(g, g)))
    v128.store(first + i, m)
    v128.store(second + i, v)
    const step = f32x4.div(f32x4.mul(rate, f32x4.mul(m, unbias1)), f32x4.add(f32x4.sqrt(f32x4.mul(v, unbias2)), floor))
    v128.store(weights + i, f32x4.sub(f32x4.mul(decay, v128.load(weights + i)), step))
  }
}
