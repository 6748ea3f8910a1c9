import { expect, test } from 'vitest'
import { aConfig } from '../../../testing/write-random-model.ts'
import type { AdapterSettings, TokenSequence } from '../../engine.ts'
import type { Kernels } from '../kernels/kernels.ts'
import { KernelMemory, OutOfMemoryError } from '../kernels/kernel-memory.ts'
import { initialiseModel } from '../model/initialise.ts'
import { allocateModel } from '../model/model-weights.ts'
import { createTrainedModel } from './trained-model.ts'
import { finish, type Work } from '../work.ts'
import { Trainer } from './trainer.ts'

const optimizer = { learningRate: 1e-2, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }

const batch: TokenSequence[] = [90, 100, 70, 110, 3].map((length, sequence) => ({
  tokens: Int32Array.from({ length }, (_, i) => (3 * i * sequence + i) % 32),
  scored: Uint8Array.from({ length }, (_, i) => i % 2),
}))
const coefficients = batch.map(({ scored }) => Float32Array.from(scored, (isScored, i) => (isScored * (i - 40)) / 1_000))

function start(maxBytes: number, adapter: AdapterSettings | null = null) {
  const memory = new KernelMemory(maxBytes, 'plain')
  const { model: base } = allocateModel(memory, aConfig())
  initialiseModel(memory, base, 1n)
  const trainer = new Trainer(memory, createTrainedModel(memory, { base, adapter, seed: 1n }))
  return { memory, trainer }
}

/** Weights after two steps, as numbers. */
function train({ memory, trainer }: ReturnType<typeof start>): number[] {
  for (let step = 0; step < 2; step++) {
    finish(trainer.forward(batch))
    finish(trainer.backward(coefficients))
    finish(trainer.step(optimizer))
  }
  return trainer.trained.trainable.flatMap(({ address, length }) => [...memory.floats(address, length)])
}

/** Training in the least memory that it can do with, to 64 KiB: too little to keep what the forward pass computed. */
function trainInLittleMemory(): { weights: number[]; bytes: number } {
  for (let bytes = 64 * 1024; ; bytes += 64 * 1024) {
    try {
      return { weights: train(start(bytes)), bytes }
    } catch (error) {
      if (!(error instanceof OutOfMemoryError)) throw error
    }
  }
}

test('what does not fit is computed again, and changes no bit', () => {
  const ample = start(64 * 1024 * 1024)
  const weights = train(ample)
  const little = trainInLittleMemory()
  expect(little.weights).toEqual(weights)
  finish(ample.trainer.forward(batch))
  expect(ample.memory.usedBytes).toBeGreaterThan(little.bytes)
})

/** Multiplications in products of matrices: those between two pauses of `work`, and those of each product. */
function measurePauses(memory: KernelMemory, work: Work<unknown>): { stretches: number[]; products: number[] } {
  const { kernels } = memory
  const stretches = [0]
  const products: number[] = []
  const matmul: Kernels['matmul'] = (...args) => {
    const [rows, columns, inner] = args.slice(9) as [number, number, number]
    products.push(rows * columns * inner)
    stretches.push(stretches.pop()! + rows * columns * inner)
    kernels.matmul(...args)
  }
  Object.assign(memory, { kernels: { ...kernels, matmul } })
  while (!work.next().done) stretches.push(0)
  Object.assign(memory, { kernels })
  return { stretches, products }
}

test.each([null, { rank: 2, alpha: 8 }])(
  'a pass pauses after each product with a weight, for requests that wait: adapter %o',
  (adapter) => {
    const { memory, trainer } = start(64 * 1024 * 1024, adapter)
    const forward = measurePauses(memory, trainer.forward(batch))
    const backward = measurePauses(memory, trainer.backward(coefficients))
    const products = [...forward.products, ...backward.products]
    expect(products.length).toBeGreaterThan(40)
    // The products of an adapter come with that of its weight; a block has six times as much.
    expect(Math.max(...forward.stretches, ...backward.stretches)).toBeLessThan(3 * Math.max(...products))
  },
)

test('what was in memory before has no effect', () => {
  const [clean, dirty] = [start(64 * 1024 * 1024), start(64 * 1024 * 1024)]
  const block = dirty.memory.allocate(16 * 1024 * 1024)
  dirty.memory.floats(block, 4 * 1024 * 1024).fill(Number.NaN)
  dirty.memory.free(block)
  expect(train(dirty)).toEqual(train(clean))
})

test('gradients of several batches add up before a step', () => {
  const [together, apart] = [start(64 * 1024 * 1024), start(64 * 1024 * 1024)]
  finish(together.trainer.forward(batch))
  finish(together.trainer.backward(coefficients))
  for (const [i, sequence] of batch.entries()) {
    finish(apart.trainer.forward([sequence]))
    finish(apart.trainer.backward([coefficients[i]!]))
  }
  const norms = [together, apart].map(({ trainer }) => finish(trainer.step({ ...optimizer, learningRate: 0 })))
  expect(norms[1]! / norms[0]!).toBeCloseTo(1, 5)
})

test('a gradient that is not finite changes nothing, and is forgotten', () => {
  const { memory, trainer } = start(64 * 1024 * 1024)
  const read = () => trainer.trained.trainable.flatMap(({ address, length }) => [...memory.floats(address, length)])
  const before = read()
  finish(trainer.forward(batch))
  finish(trainer.backward(coefficients.map((own) => own.map(() => Number.NaN))))
  expect(finish(trainer.step(optimizer))).toBeNaN()
  expect(read()).toEqual(before)
  expect(trainer.steps).toBe(0)
  finish(trainer.forward(batch))
  finish(trainer.backward(coefficients))
  expect(finish(trainer.step(optimizer))).toBeGreaterThan(0)
  expect(read().every(Number.isFinite)).toBe(true)
})

test('closing gives all memory back but that of the model it began with', () => {
  const memory = new KernelMemory(64 * 1024 * 1024, 'plain')
  const { model: base } = allocateModel(memory, aConfig())
  const before = memory.usedBytes
  for (const adapter of [null, { rank: 4, alpha: 8 }]) {
    const trainer = new Trainer(memory, createTrainedModel(memory, { base, adapter, seed: 1n }))
    finish(trainer.forward(batch))
    trainer.close()
    expect(memory.usedBytes).toBe(before)
  }
})

test('coefficients that are not those of the batch are refused', () => {
  const { trainer } = start(64 * 1024 * 1024)
  expect(() => finish(trainer.backward(coefficients))).toThrow('which had 0 sequences')
  finish(trainer.forward(batch))
  expect(() => finish(trainer.backward(coefficients.slice(1)))).toThrow('which had 5 sequences')
})
