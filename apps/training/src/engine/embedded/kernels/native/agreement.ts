import { createRandom, nextNormal } from '../../random.ts'
import { type Address, instantiateKernels, type Kernels, type KernelSet } from '../kernels.ts'
import type { NativeProduct, Operation } from './blas-library.ts'
import { columnTiles, type Guard, maxTileColumns, maxTileRows, productDepth, rowTiles } from './tiles.ts'

export interface Shape {
  operation: Operation
  rows: number
  columns: number
  /** Terms of each sum, at most the depth of the kernels' products. */
  inner: number
}

const pageBytes = 65_536
/** The kernels' own constants and stack are below. */
const firstAddress = 16 * pageBytes

/**
 * Says for which shapes of tiles a native product has the bits of the kernels' own. In which order a library sums depends on the processor and on the shape,
 * so each is tried on random numbers before it is first used.
 */
export class Agreement {
  private readonly known = new Map<string, boolean>()
  private readonly product: NativeProduct
  private readonly guard: Guard
  private readonly memory: WebAssembly.Memory
  private readonly kernels: Kernels
  /** Where a product's operands are, the second also across, and its results. */
  private readonly at: { a: Address; b: Address; bAcross: Address; expected: Address; actual: Address }

  constructor(product: NativeProduct, set: KernelSet, guard: Guard) {
    this.product = product
    this.guard = guard
    const width = maxTileColumns + 2 * guard
    this.memory = new WebAssembly.Memory({ initial: 16, maximum: 64, shared: true })
    this.kernels = instantiateKernels(this.memory, set)
    let end = firstAddress
    const allocate = (floats: number) => {
      end += floats * 4
      return end - floats * 4
    }
    const [ofA, ofB, ofC] = [maxTileRows * productDepth, width * productDepth, maxTileRows * width]
    this.at = { a: allocate(ofA), b: allocate(ofB), bAcross: allocate(ofB), expected: allocate(ofC), actual: allocate(ofC) }
    this.memory.grow(Math.ceil((end - firstAddress) / pageBytes))
    const random = createRandom(1n)
    for (const [address, length] of [
      [this.at.a, ofA],
      [this.at.b, ofB],
    ] as const) {
      const numbers = this.floats(address, length)
      for (const index of numbers.keys()) numbers[index] = nextNormal(random)
    }
  }

  /** Whether the library's products of this shape are bit-identical to those of the kernels. */
  has(shape: Shape): boolean {
    const key = `${shape.operation} ${shape.rows} ${shape.columns} ${shape.inner}`
    let agrees = this.known.get(key)
    if (agrees === undefined) this.known.set(key, (agrees = this.tryOut(shape)))
    return agrees
  }

  private tryOut({ operation, rows, columns, inner }: Shape): boolean {
    const { a, b, bAcross, expected, actual } = this.at
    const width = columns + 2 * this.guard
    const [aRow, aColumn] = operation === 'tn' ? [1, rows] : [inner, 1]
    if (operation === 'nt') this.kernels.transpose(b, width, bAcross, inner, inner, width)
    const [second, secondRow] = operation === 'nt' ? [bAcross, inner] : [b, width]
    const floats = (address: Address) => this.floats(address, 1)
    // Once over what is there, and once in addition to it.
    return ([0, 1] as const).every((added) => {
      this.kernels.matmul(a, aRow, aColumn, b, width, 8, expected, width, 8, rows, width, inner, added)
      const strides = operation === 'tn' ? rows : inner
      this.product(operation, rows, width, inner, floats(a), strides, floats(second), secondRow, added, floats(actual), width)
      return this.isEqual(rows, width)
    })
  }

  /** Whether both results have the same bits between the guards. */
  private isEqual(rows: number, width: number): boolean {
    const [expected, actual] = [this.at.expected, this.at.actual].map(
      (address) => new Uint32Array(this.memory.buffer, address, rows * width),
    )
    return expected!.every((bits, index) => {
      const column = index % width
      return column < this.guard || column >= width - this.guard || bits === actual![index]
    })
  }

  private floats(address: Address, length: number): Float32Array {
    return new Float32Array(this.memory.buffer, address, length)
  }
}

/** Shapes of the products of models. */
const usualShapes: readonly Shape[] = (['nn', 'nt', 'tn'] as const).flatMap((operation) =>
  rowTiles(360).flatMap(({ count: rows }) =>
    columnTiles(448).flatMap(({ count: columns }) => [256, 64].map((inner) => ({ operation, rows, columns, inner }))),
  ),
)

/** The share of usual shapes for which a product has the bits of the kernels, with the guard for which it is highest. */
export function findGuard(product: NativeProduct, set: KernelSet): { guard: Guard; share: number } {
  const [without, guarded] = ([0, 8] as const).map((guard) => {
    const agreement = new Agreement(product, set, guard)
    return { guard, share: usualShapes.filter((shape) => agreement.has(shape)).length / usualShapes.length }
  })
  return without!.share >= guarded!.share ? without! : guarded!
}
