import type { FloatFormat } from './float-formats.ts'

export interface Tensor {
  shape: readonly number[]
  data: Float32Array
}

/** An open file of tensors under their names in the Hugging Face layout. Reads are synchronous. */
export interface TensorFile {
  readonly names: readonly string[]
  /** Undefined when the file has no such tensor. */
  findShape(name: string): readonly number[] | undefined
  /** @throws ModelFileError if there is no such tensor, or its format is not F32, BF16 or F16. */
  read(name: string): Tensor
  /** The numbers of some rows; those of a vector are its numbers. @throws ModelFileError as `read` does */
  readRows(name: string, from: number, to: number): Float32Array
  /** As `readRows`, of a tensor in BF16, whose numbers are not converted. @throws ModelFileError if there is none of that format */
  readBfloat16Rows(name: string, from: number, to: number): Uint16Array
  /** From the header alone. @throws ModelFileError as `read` does */
  describe(name: string): { shape: readonly number[]; format: FloatFormat }
  close(): void
}
