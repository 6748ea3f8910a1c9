import { expect, test } from 'vitest'
import { fromBfloat16 } from '../../../checkpoint-files/float-formats.ts'
import { KernelMemory } from '../kernels/kernel-memory.ts'
import type { Parameter } from '../model/parameters.ts'
import { createRandom, nextNormal } from '../random.ts'
import { multiplyTransposed } from './linear.ts'
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
    memory.kernels.transposePanels(put(floats), inner, columns, transposed)

    const dy = put(numbers(rows * columns))
    const before = numbers(rows * inner)
    const panel = memory.allocate(transposedColumns * 8 * 4)
    const shape = { name: 'w', shape: [columns, inner], inner, columns, length: inner * columns, gradientOffset: -1 }
    for (const accumulate of [0, 1] as const) {
      const results = (['BF16', 'F32'] as const).map((format) => {
        const matrix: Parameter = { ...shape, format, address, transposed }
        const dx = put(before)
        multiplyTransposed(memory.kernels, { dy, rows, matrix, dx, accumulate, panel })
        return Array.from(memory.floats(dx, rows * inner))
      })
      expect(results[0]).toEqual(results[1])
    }
  },
)
