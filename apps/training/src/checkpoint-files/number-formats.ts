/** Formats in which numbers of tensors are written. Q8_0: blocks of 32 whole numbers from -127 to 127 after a factor in F16. */
export type NumberFormat = 'F32' | 'BF16' | 'F16' | 'Q8_0'

/** Numbers and bytes of the smallest part that is written. */
const blocks: Readonly<Record<NumberFormat, { numbers: number; bytes: number }>> = {
  F32: { numbers: 1, bytes: 4 },
  BF16: { numbers: 1, bytes: 2 },
  F16: { numbers: 1, bytes: 2 },
  Q8_0: { numbers: 32, bytes: 34 },
}

/** Numbers of a row must be a multiple of this. */
export const blockNumbers = (format: NumberFormat): number => blocks[format].numbers

export const encodedBytes = (format: NumberFormat, count: number): number => (count / blocks[format].numbers) * blocks[format].bytes

/** @throws RangeError when a finite number is beyond the largest of F16 */
export function encodeNumbers(floats: Float32Array, format: NumberFormat): Uint8Array {
  if (format === 'F32') return new Uint8Array(floats.buffer, floats.byteOffset, floats.byteLength)
  if (format === 'Q8_0') return toQ8(floats)
  const convert = format === 'BF16' ? toBfloat16 : toHalf
  const bits = new Uint32Array(floats.buffer, floats.byteOffset, floats.length)
  const halves = new Uint16Array(floats.length)
  for (let i = 0; i < bits.length; i++) halves[i] = convert(bits[i]!)
  return new Uint8Array(halves.buffer)
}

/** The upper half of a single-precision number, rounded to nearest, ties to even. */
function toBfloat16(bits: number): number {
  if ((bits & 0x7fffffff) > 0x7f800000) return (bits >>> 16) | 0x40
  return (bits + 0x7fff + ((bits >>> 16) & 1)) >>> 16
}

const largestHalf = 65_504
/** Where rounding to nearest would reach infinity. */
const roundsToInfinity = 65_520

/** IEEE 754 binary16, rounded to nearest, ties to even. */
function toHalf(bits: number): number {
  const sign = (bits >>> 16) & 0x8000
  const magnitude = bits & 0x7fffffff
  if (magnitude >= 0x7f800000) return sign | (magnitude > 0x7f800000 ? 0x7e00 : 0x7c00)
  const exponent = (magnitude >>> 23) - 112
  if (exponent >= 31 || (exponent === 30 && (magnitude & 0x7fffff) >= 0x7ff000))
    throw new RangeError(`a number is ${roundsToInfinity} or more, and F16 ends at ${largestHalf}`)
  if (exponent >= 1) return sign | roundedShift(magnitude - (112 << 23), 13)
  if (exponent < -10) return sign
  return sign | roundedShift((magnitude & 0x7fffff) | 0x800000, 14 - exponent)
}

function roundedShift(value: number, shift: number): number {
  const result = value >>> shift
  const rest = value & ((1 << shift) - 1)
  const half = 1 << (shift - 1)
  return rest > half || (rest === half && (result & 1) === 1) ? result + 1 : result
}

const blockLength = blocks.Q8_0.numbers
const floatBits = new Float32Array(1)
const uintBits = new Uint32Array(floatBits.buffer)

/** As ggml writes it: the factor is the largest magnitude of the block over 127, and halves are rounded away from zero. */
function toQ8(floats: Float32Array): Uint8Array {
  const bytes = new Uint8Array(encodedBytes('Q8_0', floats.length))
  for (let from = 0, at = 0; from < floats.length; from += blockLength) {
    let largest = 0
    for (let i = from; i < from + blockLength; i++) largest = Math.max(largest, Math.abs(floats[i]!))
    const factor = Math.fround(largest / 127)
    const inverse = factor > 0 ? Math.fround(1 / factor) : 0
    floatBits[0] = factor
    const half = toHalf(uintBits[0]!)
    bytes[at++] = half & 0xff
    bytes[at++] = half >>> 8
    for (let i = from; i < from + blockLength; i++) {
      const value = Math.fround(floats[i]! * inverse)
      bytes[at++] = value < 0 ? -Math.floor(0.5 - value) : Math.floor(0.5 + value)
    }
  }
  return bytes
}
