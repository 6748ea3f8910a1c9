import { describe, expect, test } from 'vitest'
import { fromBfloat16 } from '../../../checkpoint-files/float-formats.ts'
import { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Parameter } from '../model/parameters.ts'
import { createRandom, nextNormal } from '../random.ts'
import { addOuter, multiply, multiplyInBlocks, multiplyTransposed } from './linear.ts'
import { finish, type Work } from '../work.ts'
import { transposedColumns } from './workspace.ts'

test.each([8, transposedColumns, 2 * transposedColumns + 24])(
  'rows times the transpose of a matrix of %i columns in BF16 are to the bit what they are with the same numbers in F32',
  (columns) => {
    const [rows, inner] = [5, 16]
    const memory = new KernelMemory(2 ** 20, 'plain')
    const random = createRandom(9n)
    const put = (values: Float32Array) => {
      const address = memory.allocate(values.length * 4)
      memory.floats(address, values.length).set(values)
      return address
    }
    const numbers = (length: number) => Float32Array.from({ length }, () => nextNormal(random))
    const halves = Uint16Array.from(new Uint32Array(numbers(inner * columns).buffer), (bits) => bits >>> 16)
    const floats = new Float32Array(halves.length)
    fromBfloat16(halves, floats)
    const address = memory.allocate(halves.length * 2)
    memory.halves(address, halves.length).set(halves)
    const transposed = memory.allocate(floats.length * 4)
    memory.kernels.transposePanels(put(floats), inner, columns, transposed, 0, inner / 8)

    const dy = put(numbers(rows * columns))
    const before = numbers(rows * inner)
    const panel = memory.allocate(transposedColumns * 8 * 4)
    const shape = { name: 'w', shape: [columns, inner], inner, columns, length: inner * columns, gradientOffset: -1 }
    for (const accumulate of [0, 1] as const) {
      const results = (['BF16', 'F32'] as const).map((format) => {
        const matrix: Parameter = { ...shape, format, address, transposed }
        const dx = put(before)
        finish(multiplyTransposed(memory.kernels, { dy, rows, matrix, dx, accumulate, panel }))
        return Array.from(memory.floats(dx, rows * inner))
      })
      expect(results[0]).toEqual(results[1])
    }
  },
)

describe('a product in blocks has the bits of the whole:', () => {
  // Blocks have fewer columns the more a column takes.
  const [rows, inner, columns] = [512, 2_048, 200]
  const memory = new KernelMemory(48 * 2 ** 20, 'plain')
  let next = 0
  const put = (length: number) => {
    const address = memory.allocate(length * 4)
    memory.floats(address, length).set(Float32Array.from({ length }, () => Math.sin(next++)))
    return address
  }
  const bitsOf = (address: number, length: number) => Buffer.from(memory.floats(address, length).slice().buffer)
  /** Of which there is one for each block. */
  const countPauses = (work: Work<void>) => [...work].length
  const length = inner * columns
  const shape = { name: 'w', shape: [columns, inner], inner, columns, length, gradientOffset: 0 }
  const matrices: Parameter[] = [
    { ...shape, format: 'F32', address: put(length), transposed: put(length) },
    // Numbers in BF16 are the upper halves of those in F32: any bits of a low exponent will do.
    { ...shape, format: 'BF16', address: put(length / 2), transposed: 0 },
  ]

  test.each(matrices)('rows times a matrix in $format', (matrix) => {
    const x = put(rows * inner)
    const [whole, inBlocks] = [memory.allocate(rows * columns * 4), memory.allocate(rows * columns * 4)]
    multiply(memory.kernels, { x, rows, matrix, y: whole, accumulate: 0 })
    expect(countPauses(multiplyInBlocks(memory.kernels, { x, rows, matrix, y: inBlocks, accumulate: 0 }))).toBeGreaterThan(1)
    expect(bitsOf(inBlocks, rows * columns).equals(bitsOf(whole, rows * columns))).toBe(true)
  })

  test.each(matrices)('rows times the transpose of a matrix in $format', (matrix) => {
    const [dy, panel] = [put(rows * columns), memory.allocate(transposedColumns * 8 * 4)]
    const [dx, whole] = [memory.allocate(rows * inner * 4), memory.allocate(rows * inner * 4)]
    expect(countPauses(multiplyTransposed(memory.kernels, { dy, rows, matrix, dx, accumulate: 0, panel }))).toBeGreaterThan(1)
    for (let row = 0; row < rows; row += 256) {
      const part = { dy: dy + row * columns * 4, rows: 256, matrix, dx: whole + row * inner * 4, accumulate: 0, panel } as const
      expect(countPauses(multiplyTransposed(memory.kernels, part))).toBe(1)
    }
    expect(bitsOf(dx, rows * inner).equals(bitsOf(whole, rows * inner))).toBe(true)
  })

  test('the gradient of a matrix', () => {
    const [x, packed] = [put(rows * inner), put(rows * columns)]
    const [inBlocks, whole] = [memory.allocate(length * 4), memory.allocate(length * 4)]
    expect(countPauses(addOuter(memory.kernels, { x, rows, packed, matrix: matrices[0]!, gradients: inBlocks }))).toBeGreaterThan(1)
    memory.kernels.matmul(x, 1, inner, packed, 8, rows * 8, whole, 8, inner * 8, inner, columns, rows, 1)
    expect(bitsOf(inBlocks, length).equals(bitsOf(whole, length))).toBe(true)
  })
})
