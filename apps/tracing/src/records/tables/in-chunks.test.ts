import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inChunks } from './in-chunks.ts'

async function chunksOf(parts: number[][], size: number): Promise<(readonly number[])[]> {
  const chunks = []
  for await (const chunk of inChunks(parts, size)) chunks.push(chunk)
  return chunks
}

test('all values come in order, in chunks of the size but for the last one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer(), { maxLength: 20 }), { maxLength: 20 }),
      fc.integer({ min: 1, max: 9 }),
      async (parts, size) => {
        const chunks = await chunksOf(parts, size)
        expect(chunks.flat()).toEqual(parts.flat())
        expect(chunks.slice(0, -1).every(({ length }) => length === size)).toBe(true)
        expect(chunks.at(-1)?.length === 0).toBe(parts.flat().length === 0)
      },
    ),
  )
})

test('no values are one empty chunk', async () => {
  expect(await chunksOf([], 3)).toEqual([[]])
  expect(await chunksOf([[], []], 3)).toEqual([[]])
})
