import { fromHalf, toFloats } from '../float-formats.ts'
import { blockNumbers, encodedBytes } from '../number-formats.ts'
import { type GgufTensorFormat, tensorTypes } from './gguf-format.ts'

/** Names of formats that are not read. */
const otherNames: Readonly<Record<number, string>> = {
  2: 'Q4_0',
  3: 'Q4_1',
  6: 'Q5_0',
  7: 'Q5_1',
  9: 'Q8_1',
  10: 'Q2_K',
  11: 'Q3_K',
  12: 'Q4_K',
  13: 'Q5_K',
  14: 'Q6_K',
  15: 'Q8_K',
  16: 'IQ2_XXS',
  17: 'IQ2_XS',
  18: 'IQ3_XXS',
  19: 'IQ1_S',
  20: 'IQ4_NL',
  21: 'IQ3_S',
  22: 'IQ2_S',
  23: 'IQ4_XS',
  28: 'F64',
  29: 'IQ1_M',
  34: 'TQ1_0',
  35: 'TQ2_0',
  39: 'MXFP4',
}

export const readFormats = Object.keys(tensorTypes) as GgufTensorFormat[]

/** Undefined for one that is not read. */
export const findFormat = (type: number): GgufTensorFormat | undefined => readFormats.find((format) => tensorTypes[format] === type)

export const nameOfType = (type: number): string => findFormat(type) ?? otherNames[type] ?? `the unknown format ${type}`

export function decodeNumbers(bytes: Uint8Array, format: GgufTensorFormat): Float32Array {
  return format === 'Q8_0' ? fromQ8(bytes) : toFloats(bytes, format)
}

const blockLength = blockNumbers('Q8_0')
const blockBytes = encodedBytes('Q8_0', blockLength)

function fromQ8(bytes: Uint8Array): Float32Array {
  const floats = new Float32Array((bytes.length / blockBytes) * blockLength)
  for (let from = 0, at = 0; from < bytes.length; from += blockBytes) {
    const factor = fromHalf(bytes[from]! | (bytes[from + 1]! << 8))
    for (let i = from + 2; i < from + blockBytes; i++) floats[at++] = factor * ((bytes[i]! << 24) >> 24)
  }
  return floats
}
