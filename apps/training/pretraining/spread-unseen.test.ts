import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shippedModelsFolder } from '../src/base-models/shipped-models.ts'
import { openSafetensors } from '../src/checkpoint-files/safetensors.ts'
import { planOf } from './plans.ts'
import { spreadRows, unseenBytes } from './spread-unseen.ts'

const lengthOf = (row: Float32Array) => Math.hypot(...row)
const distanceOf = (a: Float32Array, b: Float32Array) => Math.hypot(...a.map((value, at) => value - b[at]!))

describe.each(readdirSync(shippedModelsFolder))('%s', (id) => {
  const file = openSafetensors(join(shippedModelsFolder, id, 'model.safetensors'))
  const { shape, data } = file.read('model.embed_tokens.weight')
  file.close()
  const width = shape[1]!
  const row = (token: number) => data.subarray(token * width, (token + 1) * width)

  test('has an embedding of its own for each byte, so that every character can be learned', () => {
    const bytes = Array.from({ length: 256 }, (_, byte) => byte)
    const tooClose = bytes.flatMap((a) =>
      bytes
        .slice(a + 1)
        .filter((b) => distanceOf(row(a), row(b)) < 0.3 * lengthOf(row(a)))
        .map((b) => [a, b]),
    )
    expect(tooClose).toEqual([])
  })

  test('was not trained on some bytes, of all of which the data says so', () => {
    const unseen = unseenBytes(planOf(id))
    expect(String.fromCodePoint(...unseen.filter((byte) => byte >= 32 && byte < 127))).toBe('#$%&/<>@\\^`|~')
    expect(unseen.filter((byte) => byte >= 128)).toHaveLength(128)
  })
})

test('rows that are not named stay as they are, and the mean of the others does too but for chance', () => {
  const rows = Float32Array.from({ length: 400 * 8 }, (_, at) => (at % 8) + 1)
  const unseen = Array.from({ length: 300 }, (_, at) => at)
  const spread = rows.slice()
  spreadRows(spread, { width: 8, unseen, seed: 1n })
  expect(spread.subarray(300 * 8)).toEqual(rows.subarray(300 * 8))
  const common = rows.subarray(0, 8)
  for (const at of unseen) {
    const moved = spread.subarray(at * 8, at * 8 + 8).map((value, index) => value - common[index]!)
    expect(lengthOf(moved)).toBeCloseTo(1.5, 4)
    expect(Math.abs(moved.reduce((sum, value, place) => sum + value * common[place]!, 0))).toBeLessThan(1e-4)
  }
})
