// Vectors of four floats. With the relaxed instructions a product and a sum are one operation with one rounding.

/** a b + c. */
export function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  if (ASC_FEATURE_RELAXED_SIMD) return f32x4.relaxed_madd(a, b, c)
  return f32x4.add(f32x4.mul(a, b), c)
}

export function sumOf(v: v128): f32 {
  return f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3)
}

export function maximumOf(v: v128): f32 {
  return max(max(f32x4.extract_lane(v, 0), f32x4.extract_lane(v, 1)), max(f32x4.extract_lane(v, 2), f32x4.extract_lane(v, 3)))
}

/** e to the power of each element, to about one unit in the last place; arguments below -87 count as -87. The polynomial is that of Cephes' expf. */
export function exponential(x: v128): v128 {
  x = f32x4.max(f32x4.min(x, f32x4.splat(88)), f32x4.splat(-87))
  const n = f32x4.nearest(f32x4.mul(x, f32x4.splat(<f32>Math.LOG2E)))
  let r = f32x4.sub(x, f32x4.mul(n, f32x4.splat(0.693359375)))
  r = f32x4.sub(r, f32x4.mul(n, f32x4.splat(-2.1219444e-4)))
  let y = f32x4.splat(1.98756915e-4)
  y = multiplyAdd(y, r, f32x4.splat(1.3981999507e-3))
  y = multiplyAdd(y, r, f32x4.splat(8.3334519073e-3))
  y = multiplyAdd(y, r, f32x4.splat(4.1665795894e-2))
  y = multiplyAdd(y, r, f32x4.splat(1.6666665459e-1))
  y = multiplyAdd(y, r, f32x4.splat(5.0000001201e-1))
  y = f32x4.add(multiplyAdd(y, f32x4.mul(r, r), r), f32x4.splat(1))
  return f32x4.mul(y, i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(n), i32x4.splat(127)), 23))
}
