/** Formats of floating-point numbers in safetensors files that are read. All are little-endian. */
export type FloatFormat = 'F32' | 'BF16' | 'F16'

export const bytesPerElement: Readonly<Record<FloatFormat, number>> = { F32: 4, BF16: 2, F16: 2 }

export function isFloatFormat(format: string): format is FloatFormat {
  return Object.hasOwn(bytesPerElement, format)
}

/** The numbers in single precision, which holds each format exactly. */
export function toFloats(bytes: Uint8Array, format: FloatFormat): Float32Array {
  // Copied, since the bytes may have any alignment in a larger buffer.
  const { buffer } = Uint8Array.from(bytes)
  if (format === 'F32') return new Float32Array(buffer)
  const halves = new Uint16Array(buffer)
  const floats = new Float32Array(halves.length)
  if (format === 'BF16') fromBfloat16(halves, floats)
  else for (const [i, half] of halves.entries()) floats[i] = fromHalf(half)
  return floats
}

/** A bfloat16 is the upper half of a single-precision number. */
export function fromBfloat16(halves: Uint16Array, floats: Float32Array): void {
  const bits = new Uint32Array(floats.buffer, floats.byteOffset, floats.length)
  for (let i = 0; i < halves.length; i++) bits[i] = halves[i]! << 16
}

/** IEEE 754 binary16: one bit of sign, five of exponent, ten of fraction. */
export function fromHalf(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * 2 ** -24 * fraction
  if (exponent === 0x1f) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * 2 ** (exponent - 15) * (1 + fraction / 1024)
}
