import { setFlagsFromString } from 'node:v8'
import { describe, expect, test } from 'vitest'
import { fromBfloat16 } from '../../../checkpoint-files/float-formats.ts'
import { createRandom, nextNormal } from '../random.ts'
import { findKernelSet, type Kernels, type KernelSet } from './kernels.ts'
import { KernelMemory } from './kernel-memory.ts'

// As the process of the engine does on Node 20.
if (findKernelSet() === 'plain') setFlagsFromString('--experimental-wasm-relaxed-simd')

const random = createRandom(7n)
const numbers = (length: number) => Float32Array.from({ length }, () => nextNormal(random))

/** Memory with what a case puts there, and reads back in double precision. */
function start(set: KernelSet) {
  const memory = new KernelMemory(32 * 1024 * 1024, set)
  return {
    kernels: memory.kernels as Kernels,
    put(values: Float32Array | Int32Array) {
      const address = memory.allocate(values.length * 4)
      if (values instanceof Int32Array) memory.integers(address, values.length).set(values)
      else memory.floats(address, values.length).set(values)
      return address
    },
    read: (address: number, length: number) => Array.from(memory.floats(address, length)),
  }
}

/** Largest difference, in parts of the largest number expected. */
function difference(actual: readonly number[], expected: readonly number[]): number {
  const scale = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 1e-30)
  return actual.reduce((most, value, i) => Math.max(most, Math.abs(value - expected[i]!)), 0) / scale
}

describe.each<KernelSet>(['plain', findKernelSet()])('the %s kernels', (set) => {
  test.each([
    [1, 8, 1],
    [3, 40, 7],
    [4, 8, 256],
    [5, 24, 257],
    [33, 16, 600],
    [7, 72, 0],
  ])('multiply matrices of %i x %i over %i, row-major or in panels, across or not', (rows, columns, inner) => {
    const { kernels, put, read } = start(set)
    const [a, b, c] = [numbers(rows * inner), numbers(inner * columns), numbers(rows * columns)]
    const across = a.map((_, i) => a[(i % rows) * inner + Math.floor(i / rows)]!)
    const packed = put(new Float32Array(Math.max(1, b.length)))
    kernels.pack(put(b), columns, inner, columns, packed)
    const product = (i: number, j: number) =>
      Array.from({ length: inner }, (_, k) => a[i * inner + k]! * b[k * columns + j]!).reduce((sum, term) => sum + term, 0)
    const plain = Array.from(c, (_, at) => product(Math.floor(at / columns), at % columns))
    const added = plain.map((value, at) => value + c[at]!)
    const target = put(c)
    kernels.matmul(put(a), inner, 1, put(b), columns, 8, target, columns, 8, rows, columns, inner, 1)
    expect(difference(read(target, c.length), added)).toBeLessThan(1e-5)
    kernels.matmul(put(across), 1, rows, packed, 8, inner * 8, target, columns, 8, rows, columns, inner, 0)
    expect(difference(read(target, c.length), plain)).toBeLessThan(1e-5)
  })

  test('a row of a product is the same to the bit whatever other rows there are', () => {
    const { kernels, put, read } = start(set)
    const [a, b] = [put(numbers(9 * 300)), put(numbers(300 * 40))]
    const [all, one] = [put(new Float32Array(9 * 40)), put(new Float32Array(40))]
    kernels.matmul(a, 300, 1, b, 40, 8, all, 40, 8, 9, 40, 300, 0)
    for (let row = 0; row < 9; row++) {
      kernels.matmul(a + row * 300 * 4, 300, 1, b, 40, 8, one, 40, 8, 1, 40, 300, 0)
      expect(read(one, 40)).toEqual(read(all + row * 40 * 4, 40))
    }
  })

  test.each([
    [1, 40, 304],
    [4, 8, 512],
    [7, 48, 264],
  ])(
    '%i rows times a matrix in bfloat16, %i x %i, is to the bit what they are times the same numbers in single precision',
    (rows, columns, inner) => {
      const { kernels, put, read } = start(set)
      const halves = Uint16Array.from(new Uint32Array(numbers(columns * inner).buffer), (bits) => bits >>> 16)
      const floats = new Float32Array(halves.length)
      fromBfloat16(halves, floats)
      const [x, inHalves, inFloats] = [put(numbers(rows * inner)), put(new Int32Array(halves.buffer)), put(floats)]
      const before = numbers(rows * columns)
      for (const accumulate of [0, 1] as const) {
        const [actual, expected] = [put(before), put(before)]
        kernels.multiplyBfloat16(x, rows, inHalves, inner, columns, actual, columns, accumulate)
        kernels.matmul(x, inner, 1, inFloats, 8, inner * 8, expected, columns, 8, rows, columns, inner, accumulate)
        expect(read(actual, rows * columns)).toEqual(read(expected, rows * columns))
      }
    },
  )

  test.each([
    [1, 8],
    [5, 8],
    [32, 8],
    [33, 40],
    [71, 8],
  ])('attention over %i tokens in heads of %i numbers, whole and some tokens at a time, to the same bit', (length, width) => {
    const { kernels, put, read } = start(set)
    const [heads, groups] = [4, 2]
    const [q, k, v] = [numbers(length * heads * width), numbers(length * groups * width), numbers(length * groups * width)]
    const expected = Array.from(q, (_, at) => {
      const [t, h, i] = [Math.floor(at / (heads * width)), Math.floor(at / width) % heads, at % width]
      const keyAt = (s: number, j: number) => s * groups * width + Math.floor(h / 2) * width + j
      const scores = Array.from(
        { length: t + 1 },
        (_, s) =>
          Array.from({ length: width }, (_, j) => q[t * heads * width + h * width + j]! * k[keyAt(s, j)]!).reduce(
            (sum, term) => sum + term,
            0,
          ) / Math.sqrt(width),
      )
      const weights = scores.map((score) => Math.exp(score))
      const sum = weights.reduce((total, weight) => total + weight, 0)
      return weights.reduce((total, weight, s) => total + (weight / sum) * v[keyAt(s, i)]!, 0)
    })
    const out = put(new Float32Array(q.length))
    const scratch = put(new Float32Array(kernels.attentionScratch(length, width)))
    const [queries, keys, values] = [put(q), put(k), put(v)]
    const logSums = put(new Float32Array(heads * length))
    const steps = heads * kernels.attentionSteps(length)
    for (let step = 0; step < steps; step++) {
      kernels.attention(
        ...([queries, keys, values, out, logSums] as const),
        ...([length, heads, groups, width, 1 / Math.sqrt(width), scratch, step, 1] as const),
      )
    }
    expect(difference(read(out, q.length), expected)).toBeLessThan(1e-5)
    const capacity = length + 3
    const cached = put(new Float32Array(Math.ceil(capacity / 8) * 8 * groups * width).fill(Number.NaN))
    for (const [step, most] of [
      [1, 1],
      [7, 4],
      [length, 32],
    ] as const) {
      const again = put(new Float32Array(q.length))
      const scores = put(new Float32Array(most * (Math.ceil(length / 8) * 8 + 1)))
      for (let t = 0; t < length; t += step) {
        const rows = Math.min(step, length - t)
        const at = t * heads * width * 4
        kernels.addKeys(keys + t * groups * width * 4, rows, t, capacity, groups, width, cached)
        kernels.attentionOfRows(
          ...([queries + at, cached, values, again + at, rows, t, capacity] as const),
          ...([heads, groups, width, 1 / Math.sqrt(width), most, scores] as const),
        )
      }
      expect(read(again, q.length)).toEqual(read(out, q.length))
    }
  })

  test('gradients of attention, all at once and in parts, to the same bit', () => {
    const { kernels, put, read } = start(set)
    const [length, heads, groups, width] = [71, 4, 2, 8]
    const [ofQueries, ofKeys] = [length * heads * width, length * groups * width]
    const [queries, keys, values, dOut] = [ofQueries, ofKeys, ofKeys, ofQueries].map((count) => put(numbers(count))) as [
      number,
      number,
      number,
      number,
    ]
    const [out, logSums] = [put(new Float32Array(ofQueries)), put(new Float32Array(heads * length))]
    const scratch = put(new Float32Array(2 * kernels.attentionScratch(length, width)))
    const shape = [length, heads, groups, width, 1 / Math.sqrt(width), scratch] as const
    const steps = heads * kernels.attentionSteps(length)
    kernels.attention(queries, keys, values, out, logSums, ...shape, 0, steps)
    const gradientsIn = (parts: readonly number[]) => {
      const [dQueries, dKeys, dValues] = [ofQueries, ofKeys, ofKeys].map((count) => put(new Float32Array(count))) as [
        number,
        number,
        number,
      ]
      let first = 0
      for (const count of parts) {
        kernels.attentionBackward(queries, keys, values, logSums, dOut, dQueries, dKeys, dValues, ...shape, first, count)
        first += count
      }
      return [read(dQueries, ofQueries), read(dKeys, ofKeys), read(dValues, ofKeys)]
    }
    const whole = gradientsIn([steps])
    expect(whole.flat().some((value) => value !== 0)).toBe(true)
    expect(gradientsIn(Array.from({ length: steps }, () => 1))).toEqual(whole)
    expect(gradientsIn([4, steps - 4])).toEqual(whole)
  })

  test('log-probabilities and entropies, at logits that are far apart and with a padded vocabulary', () => {
    const { kernels, put, read } = start(set)
    const [rows, vocabulary, stride] = [6, 13, 16]
    const logits = numbers(rows * stride).map((value, i) => value * 10 ** (Math.floor(i / stride) - 2))
    const targets = Int32Array.from({ length: rows }, (_, row) => (row * 5) % vocabulary)
    const [logProbability, entropy] = [put(new Float32Array(rows)), put(new Float32Array(rows))]
    const probabilities = put(logits)
    kernels.logProbabilities(probabilities, stride, vocabulary, put(targets), rows, logProbability, entropy)
    const expected = Array.from({ length: rows }, (_, row) => {
      const own = Array.from(logits.subarray(row * stride, row * stride + vocabulary))
      const top = Math.max(...own)
      const logSum = top + Math.log(own.reduce((sum, value) => sum + Math.exp(value - top), 0))
      return own.map((value) => value - logSum)
    })
    expect(
      difference(
        read(logProbability, rows),
        expected.map((row, i) => row[targets[i]!]!),
      ),
    ).toBeLessThan(1e-6)
    const entropies = expected.map((row) => row.reduce((sum, log) => sum - Math.exp(log) * log, 0))
    expect(Math.max(...read(entropy, rows).map((value, i) => Math.abs(value - entropies[i]!)))).toBeLessThan(1e-5)
    const padded = expected.flatMap((row) => [...row.map((log) => Math.exp(log)), 0, 0, 0])
    expect(difference(read(probabilities, rows * stride), padded)).toBeLessThan(1e-6)
  })

  test('AdamW as it is defined', () => {
    const { kernels, put, read } = start(set)
    const length = 24
    const gradients = [numbers(length), numbers(length), numbers(length)]
    const [rate, beta1, beta2, epsilon, decay] = [0.01, 0.9, 0.99, 1e-8, 0.1]
    const start0 = numbers(length)
    const [weights, first, second] = [put(start0), put(new Float32Array(length)), put(new Float32Array(length))]
    const expected = Array.from(start0)
    const [m, v] = [new Float64Array(length), new Float64Array(length)]
    for (const [index, gradient] of gradients.entries()) {
      const step = index + 1
      kernels.adamW(
        ...([weights, put(gradient), first, second, length] as const),
        ...([rate, beta1, beta2, epsilon, decay] as const),
        1 - beta1 ** step,
        1 - beta2 ** step,
        0.5,
      )
      for (let i = 0; i < length; i++) {
        const g = gradient[i]! * 0.5
        m[i] = beta1 * m[i]! + (1 - beta1) * g
        v[i] = beta2 * v[i]! + (1 - beta2) * g * g
        const update = m[i]! / (1 - beta1 ** step) / (Math.sqrt(v[i]! / (1 - beta2 ** step)) + epsilon)
        expected[i] = expected[i]! * (1 - rate * decay) - rate * update
      }
    }
    expect(difference(read(weights, length), expected)).toBeLessThan(1e-6)
  })
})

describe('the memory of the kernels', () => {
  test('gives back what was freed, and joins what lies side by side', () => {
    const memory = new KernelMemory(1024 * 1024, 'plain')
    const blocks = Array.from({ length: 16 }, () => memory.allocate(60_000))
    expect(() => memory.allocate(120_000)).toThrow('bytes do not fit')
    memory.free(blocks[3]!)
    memory.free(blocks[5]!)
    expect(() => memory.allocate(120_000)).toThrow('bytes do not fit')
    memory.free(blocks[4]!)
    expect(memory.allocate(180_000)).toBe(blocks[3])
    for (const block of blocks.filter((_, i) => i < 3 || i > 5)) memory.free(block)
    memory.free(blocks[3]!)
    expect(memory.usedBytes).toBe(0)
    expect(memory.fits(1024 * 1024)).toBe(true)
  })

  test('allocations are zero and begin at 64 bytes', () => {
    const memory = new KernelMemory(1024 * 1024, 'plain')
    const address = memory.allocate(100)
    memory.floats(address, 25).fill(1)
    memory.free(address)
    const again = memory.allocate(10)
    expect(again % 64).toBe(0)
    expect([...memory.floats(again, 2)]).toEqual([0, 0])
  })
})
