import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import '@heddle/testing'
import { afterAll, describe, expect, inject, test } from 'vitest'
import { readBaseModel } from '../base-models/read-base-model.ts'
import { createEmbeddedEngine } from '../engine/embedded/embedded-engine.ts'
import type { BaseModel } from '../engine/engine.ts'
import { openExport } from './export-files.ts'
import type { ExportFormat, ExportNumbers } from './export-format.ts'
import { tarBytes, tarOf } from './sized-tar.ts'
import { familyAdapter, trainedFamilies, writeTrainedFamily } from './testing/trained-families.ts'
import { unpackExport } from './unpack-export.ts'

const folder = mkdtempSync(join(inject('storesFolder'), 'model-export-'))
afterAll(() => rmSync(folder, { recursive: true }))
const entry = new URL('model-engine-child.js', inject('builtChildren'))

interface Exported {
  base: string
  checkpoint: string | null
}

const model = { name: 'team/project/agent', baseModel: 'small', step: 1, metrics: { reward: 0.5 }, job: null }

/** Writes the export as the command does; returns its folder. */
async function write(of: Exported, format: ExportFormat, numbers: ExportNumbers): Promise<string> {
  const { files, close } = await openExport({ ...of, model, format, numbers })
  const tar = await buffer(Readable.from(tarOf(files, new Date(0))))
  close()
  expect(tar.length).toBe(tarBytes(files))
  const into = join(folder, `exported-${++exports}`)
  mkdirSync(into)
  await unpackExport(Readable.from([tar]), into)
  return into
}
let exports = 0

const tokens = Int32Array.from({ length: 24 }, (_, i) => (i * 37) % 256)
const sequence = { tokens, scored: Uint8Array.from(tokens, (_, i) => (i > 0 ? 1 : 0)) }

const described = (path: string, id: string): BaseModel => ({ ...readBaseModel(path), id, adapter: familyAdapter })

/** Log-probabilities of a text by the trained model, and by each of its exports, as a base model of its own. */
async function score(trained: Exported, exported: readonly string[]): Promise<Float32Array[]> {
  const baseModels = [described(trained.base, 'base'), ...exported.map((path, i) => described(path, `exported-${i}`))]
  const engine = createEmbeddedEngine({ entry, baseModels, memoryBytes: 64 * 2 ** 20, threads: 1 })
  try {
    const scores = []
    for (const { id } of baseModels) {
      const version = { key: `${id}/`, baseModel: id, folder: id === 'base' ? trained.checkpoint : null }
      scores.push((await engine.score(version, [sequence], AbortSignal.timeout(60_000))).logProbabilities[0]!)
    }
    return scores
  } finally {
    await engine.close()
  }
}

const farthest = (a: Float32Array, b: Float32Array) => a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), 0)

/** Every run has the plainest family and the one that differs most from it. */
const families = Object.keys(trainedFamilies).filter((name) => inject('long') || name === 'llama' || name === 'smollm3')

describe.each(families)('a model of %s', (name) => {
  test('answers as before when it comes back as a base model, with its adapter in its weights', async () => {
    const trained = writeTrainedFamily(folder, name)
    const exported = [
      await write(trained, 'safetensors', 'f32'),
      await write(trained, 'gguf', 'f32'),
      await write(trained, 'gguf', 'f16'),
      await write(trained, 'safetensors', 'bf16'),
      await write(trained, 'gguf', 'bf16'),
      await write(trained, 'gguf', 'q8_0'),
    ]
    const [before, safetensors, gguf, half, brain, ggufBrain, eight] = await score(trained, exported)
    const [untrained] = await score({ base: trained.base, checkpoint: null }, [])
    expect(farthest(before!, untrained!)).toBeGreaterThan(0.05)
    expect(farthest(before!, safetensors!)).toBeLessThan(1e-4)
    expect(farthest(before!, gguf!)).toBeLessThan(1e-4)
    expect(gguf).toEqual(safetensors)
    expect(ggufBrain).toEqual(brain)
    expect(farthest(before!, half!)).toBeLessThan(0.01)
    expect(farthest(before!, brain!)).toBeLessThan(0.05)
    expect(farthest(before!, eight!)).toBeLessThan(0.25)
  })
})

test('an export that nobody reads any more is no longer made', async () => {
  let isLeft = false
  function* content() {
    try {
      for (;;) yield new Uint8Array(2 ** 16)
    } finally {
      isLeft = true
    }
  }
  const file = { name: 'endless', sizeBytes: 2 ** 40, content }
  for await (const part of tarOf([file], new Date(0))) if (part.length > 512) break
  await expect.poll(() => isLeft).toBe(true)
})
