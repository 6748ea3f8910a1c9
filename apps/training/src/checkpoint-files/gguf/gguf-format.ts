/** Numbers of the GGUF format (https://github.com/ggml-org/ggml, docs/gguf.md). All values are little-endian. */

export const ggufMagic = 0x46_55_47_47
export const ggufVersion = 3
export const defaultAlignment = 32

/** Types of values in the metadata. */
export const valueTypes = {
  u8: 0,
  i8: 1,
  u16: 2,
  i16: 3,
  u32: 4,
  i32: 5,
  f32: 6,
  bool: 7,
  text: 8,
  list: 9,
  u64: 10,
  i64: 11,
  f64: 12,
} as const

/** Formats of tensors that are read and written, by their number. */
export const tensorTypes = { F32: 0, F16: 1, Q8_0: 8, BF16: 30 } as const
export type GgufTensorFormat = keyof typeof tensorTypes

/** Value of `general.file_type` for a file whose matrices are in a format. */
export const fileTypes: Readonly<Record<GgufTensorFormat, number>> = { F32: 0, F16: 1, Q8_0: 7, BF16: 32 }
