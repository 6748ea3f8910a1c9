import { describe, expect, test } from 'vitest'
import { findKernelSet } from './kernels/kernels.ts'
import { KernelMemory } from './kernels/kernel-memory.ts'
import { blockMultiplications, blocksOfAttention, blocksOfFloats, blocksOfPanels } from './blocks.ts'

const { kernels } = new KernelMemory(1024 * 1024, findKernelSet())
const endOf = ({ first, count }: { first: number; count: number }) => first + count
/** Where each block begins, if it continues the one before. */
const isContinuous = (blocks: readonly { first: number; count: number }[]) =>
  blocks.every(({ first, count }, at) => count > 0 && first === (at === 0 ? 0 : endOf(blocks[at - 1]!)))

describe('the attention of a sequence', () => {
  test.each([
    [1, 9, 64, 5],
    [33, 2, 40, 2],
    [1_024, 9, 64, 2],
    [1_024, 9, 64, 5],
    [4_097, 3, 128, 5],
  ] as const)(
    'of %i tokens with %i heads of %i numbers is divided without gaps into blocks that are no longer than those of a product',
    (length, heads, headWidth, products) => {
      const blocks = blocksOfAttention(kernels, { length, heads, headWidth, products })
      const perHead = kernels.attentionSteps(length)
      expect(isContinuous(blocks)).toBe(true)
      expect(endOf(blocks.at(-1)!)).toBe(heads * perHead)
      for (const { first, count } of blocks) {
        const keys = Array.from({ length: count }, (_, at) => Math.min(length, (((first + at) % perHead) + 1) * 32))
        const multiplications = keys.reduce((sum, each) => sum + products * Math.min(32, length) * each * headWidth, 0)
        expect(multiplications).toBeLessThan(1.1 * blockMultiplications)
      }
    },
  )

  test('that is short is one block', () => {
    expect(blocksOfAttention(kernels, { length: 128, heads: 9, headWidth: 64, products: 5 })).toHaveLength(1)
  })
})

test('the weights of a large embedding are divided without gaps, at multiples of a vector', () => {
  const blocks = blocksOfFloats(49_152 * 576 + 4)
  expect(isContinuous(blocks)).toBe(true)
  expect(endOf(blocks.at(-1)!)).toBe(49_152 * 576 + 4)
  expect(blocks.every(({ first }) => first % 4 === 0)).toBe(true)
  expect(blocks.length).toBeGreaterThan(10)
})

test('panels that are longer than a block are blocks themselves', () => {
  expect(blocksOfPanels(3, 2 ** 24)).toEqual([
    { first: 0, count: 1 },
    { first: 1, count: 1 },
    { first: 2, count: 1 },
  ])
})
