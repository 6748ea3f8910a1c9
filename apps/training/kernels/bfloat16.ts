/** The number at an address in single precision. T is the format in which it is there: `f32`, or `u16` for bfloat16, its upper half. */
export function loadOne<T>(address: usize): f32 {
  if (isFloat<T>()) return load<f32>(address)
  return reinterpret<f32>((<u32>load<u16>(address)) << 16)
}

/** The first four of the eight numbers at an address in single precision; T as of `loadOne`. */
export function loadLow<T>(address: usize): v128 {
  if (isFloat<T>()) return v128.load(address)
  // Both halves load all eight: with `load16x4_u`, which loads four, the product of a single row takes twice the time.
  return v128.shuffle<i16>(i16x8.splat(0), v128.load(address), 0, 8, 1, 9, 2, 10, 3, 11)
}

/** The last four of the eight. */
export function loadHigh<T>(address: usize): v128 {
  if (isFloat<T>()) return v128.load(address, 16)
  return v128.shuffle<i16>(i16x8.splat(0), v128.load(address), 4, 12, 5, 13, 6, 14, 7, 15)
}
