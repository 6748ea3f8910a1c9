import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import '@heddle/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { readAdapterConfig } from '../../../checkpoint-files/adapter-config.ts'
import { openTensorFiles } from '../../../checkpoint-files/tensor-files.ts'
import { openExport } from '../../../model-export/export-files.ts'
import { tarOf } from '../../../model-export/sized-tar.ts'
import { unpackExport } from '../../../model-export/unpack-export.ts'
import { writeRandomModel } from '../../../testing/write-random-model.ts'
import type { TrainingSession } from '../../engine.ts'
import { createEmbeddedEngine, type EmbeddedEngine } from '../embedded-engine.ts'

const folder = mkdtempSync(join(inject('storesFolder'), 'target-modules-'))
const adapter = { rank: 4, alpha: 8, modules: ['v_proj', 'down_proj'] as const }
const aBase = (id: string) => ({
  id,
  folder: join(folder, id),
  parameters: 1,
  contextLength: 128,
  adapter: { rank: 4, alpha: 8 },
  learningRates: { rl: 1e-2, sft: 1e-2 },
})
const entry = new URL('model-engine-child.js', inject('builtChildren'))
const newEngine = (...ids: string[]) => createEmbeddedEngine({ entry, baseModels: ids.map(aBase), memoryBytes: 64 * 2 ** 20, threads: 2 })
const never = new AbortController().signal
const tokens = Int32Array.from({ length: 40 }, (_, i) => (i * 37) % 512)
const sequence = { tokens, scored: Uint8Array.from(tokens, (_, i) => (i > 0 ? 1 : 0)) }

let engine: EmbeddedEngine
beforeAll(() => {
  writeRandomModel(aBase('base').folder)
  engine = newEngine('base')
})
afterAll(async () => {
  await engine.close()
  rmSync(folder, { recursive: true })
})

const from = { key: 'base', baseModel: 'base', folder: null }
const open = (resumeFrom: string | null) => engine.openTraining({ from, adapter, seed: 1, resumeFrom }, never)

async function step(session: TrainingSession): Promise<void> {
  await session.forward([sequence], never)
  await session.backward([new Float32Array(tokens.length).fill(-0.1)], never)
  await session.step({ learningRate: 0.02, beta1: 0.9, beta2: 0.99, epsilon: 1e-8, weightDecay: 0, clip: 1 }, never)
}

async function save(session: TrainingSession, what: 'saveCheckpoint' | 'saveState', name: string): Promise<string> {
  const target = join(folder, name)
  mkdirSync(target)
  await session[what](target, never)
  return target
}

async function score(engineOf: EmbeddedEngine, baseModel: string, checkpoint: string | null): Promise<Float32Array> {
  const version = { key: `${baseModel}-${checkpoint ?? ''}`, baseModel, folder: checkpoint }
  return (await engineOf.score(version, [sequence], never)).logProbabilities[0]!
}

test('an adapter of some linear layers has their tensors alone, and continues from a saved state to the bit', async () => {
  const whole = await open(null)
  await step(whole)
  const state = await save(whole, 'saveState', 'state')
  await step(whole)
  const expected = await save(whole, 'saveCheckpoint', 'whole')
  await whole.close()
  const resumed = await open(state)
  await step(resumed)
  const found = await save(resumed, 'saveCheckpoint', 'resumed')
  await resumed.close()

  expect(readAdapterConfig(expected)).toEqual(adapter)
  expect(JSON.parse(readFileSync(join(expected, 'adapter_config.json'), 'utf8'))).toMatchObject({ target_modules: ['v_proj', 'down_proj'] })
  const files = openTensorFiles(expected, 'adapter_model')
  const names = files.names.map((name) => /layers\.(\d+\.\w+\.\w+)\.lora_([AB])/.exec(name)!.slice(1).join(' '))
  files.close()
  const layers = [0, 1].flatMap((layer) => [`${layer}.self_attn.v_proj`, `${layer}.mlp.down_proj`])
  expect(names.toSorted()).toEqual(layers.flatMap((layer) => [`${layer} A`, `${layer} B`]).toSorted())
  expect(readdirSync(found)).toEqual(readdirSync(expected))
  for (const name of readdirSync(expected)) expect(readFileSync(join(found, name)).equals(readFileSync(join(expected, name)))).toBe(true)
})

test('what it learned is served, trained on, and exported with the weights of the other layers as they were', async () => {
  const trained = join(folder, 'whole')
  const [before, after] = [await score(engine, 'base', null), await score(engine, 'base', trained)]
  expect(after).not.toEqual(before)
  const again = await engine.openTraining(
    { from: { key: 'trained', baseModel: 'base', folder: trained }, adapter, seed: 2, resumeFrom: null },
    never,
  )
  expect((await again.forward([sequence], never)).logProbabilities[0]).toEqual(after)
  await again.close()

  const model = { name: 'team/project/agent', baseModel: 'base', step: 1, metrics: {}, job: null }
  const { files, close } = await openExport({
    base: aBase('base').folder,
    checkpoint: trained,
    model,
    format: 'safetensors',
    numbers: 'f32',
  })
  const tar = await buffer(Readable.from(tarOf(files, new Date(0))))
  close()
  mkdirSync(aBase('merged').folder)
  await unpackExport(Readable.from([tar]), aBase('merged').folder)
  const other = newEngine('merged')
  const merged = await score(other, 'merged', null)
  await other.close()
  expect(merged.reduce((most, value, i) => Math.max(most, Math.abs(value - after[i]!)), 0)).toBeLessThan(1e-4)
  const [weights, base] = ['merged', 'base'].map((id) => openTensorFiles(aBase(id).folder, 'model'))
  const read = (name: string) => [weights, base].map((each) => each!.read(`model.layers.0.${name}.weight`, [16, 32]))
  expect(read('self_attn.o_proj')[0]).toEqual(read('self_attn.o_proj')[1])
  expect(read('mlp.down_proj')[0]).not.toEqual(read('mlp.down_proj')[1])
  weights!.close()
  base!.close()
})
