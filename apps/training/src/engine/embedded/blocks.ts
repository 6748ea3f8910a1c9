import type { Kernels } from './kernels/kernels.ts'

/** Multiplications of a block of a product: one thread takes some 15 ms. */
export const blockMultiplications = 2 ** 27

/** Floats of a block of elementwise work on memory that no cache holds: one thread takes some 4 ms. */
const blockFloats = 2 ** 21

/** A range that is computed without a pause. */
export interface Block {
  first: number
  count: number
}

/** Splits a range into blocks of `most`, the last of which may have fewer. */
export function blocksOfRange(length: number, most: number): Block[] {
  return Array.from({ length: Math.ceil(length / most) }, (_, index) => ({
    first: index * most,
    count: Math.min(most, length - index * most),
  }))
}

/** Blocks of elementwise work; they begin at multiples of a vector. */
export const blocksOfFloats = (length: number): Block[] => blocksOfRange(length, blockFloats)

/** Splits a packed matrix into blocks of whole panels, each of `panelFloats` floats. */
export const blocksOfPanels = (panels: number, panelFloats: number): Block[] =>
  blocksOfRange(panels, Math.max(1, Math.floor(blockFloats / panelFloats)))

interface AttentionShape {
  length: number
  heads: number
  headWidth: number
  /** Products with the numbers of a head for each score: 2 forward, 5 backward. */
  products: 2 | 5
}

/** Splits the steps of the attention of one sequence. Later steps of a head have more keys. */
export function blocksOfAttention(kernels: Kernels, { length, heads, headWidth, products }: AttentionShape): Block[] {
  const perHead = kernels.attentionSteps(length)
  const rows = length / perHead
  const blocks: Block[] = []
  let last: Block | undefined
  let left = 0
  for (let step = 0; step < heads * perHead; step++) {
    const keys = rows * ((step % perHead) + 1)
    const multiplications = products * rows * keys * headWidth
    if (!last || multiplications > left) {
      last = { first: step, count: 0 }
      blocks.push(last)
      left = blockMultiplications
    }
    last.count++
    left -= multiplications
  }
  return blocks
}
