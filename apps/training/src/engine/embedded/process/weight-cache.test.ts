import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { aConfig, writeRandomModel } from '../../../testing/write-random-model.ts'
import type { ModelVersion } from '../../engine.ts'
import { KernelMemory } from '../kernels/kernel-memory.ts'
import { createSoloTeam } from '../sampling/decode-team.ts'
import { createTrainedModel } from '../training/trained-model.ts'
import { writeCheckpoint } from '../training/checkpoint.ts'
import { finishWithWaits, type Work } from '../work.ts'
import { WeightCache } from './weight-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'heddle-weight-cache-'))
const baseFolder = join(folder, 'tiny')
const adapterFolder = mkdtempSync(join(folder, 'adapter-'))
const base: ModelVersion = { key: 'tiny', baseModel: 'tiny', folder: null }
const adapted: ModelVersion = { key: 'model/1/', baseModel: 'tiny', folder: adapterFolder }
writeRandomModel(baseFolder, { config: aConfig() })
await writeAdapter()
afterAll(() => rmSync(folder, { recursive: true }))

async function writeAdapter(): Promise<void> {
  const { memory, cache } = createCache()
  const { model } = await cache.acquire(base)
  const trained = createTrainedModel(memory, { base: model, adapter: { rank: 4, alpha: 8 }, seed: 1n })
  await finishWithWaits(writeCheckpoint(memory, trained, { folder: adapterFolder, baseModel: 'tiny' }))
}

/** `loads`: how many weights were read. Other work runs between the blocks of each. */
function createCache() {
  const memory = new KernelMemory(16 * 2 ** 20, 'plain')
  const test = { memory, loads: 0, cache: undefined as unknown as WeightCache }
  async function runWork(work: Work<void>): Promise<void> {
    test.loads++
    while (work.next().done !== true) await setImmediate()
  }
  test.cache = new WeightCache({ memory, folders: new Map([['tiny', baseFolder]]), team: createSoloTeam(memory), runWork })
  return test
}

test('an adapter and its base model that are requested together are read once, while other work runs', async () => {
  const test = createCache()
  const requested = [base, adapted, base, adapted].map((version) => test.cache.acquire(version))
  const keys = (await Promise.all(requested)).map(({ key }) => key)
  expect(keys).toEqual(['base model tiny', 'model/1/', 'base model tiny', 'model/1/'])
  expect(test.loads).toBe(2)
})

test('weights that cannot be read leave nothing in memory, and are read again when they are requested again', async () => {
  const test = createCache()
  const before = test.memory.usedBytes
  renameSync(join(baseFolder, 'model.safetensors'), join(baseFolder, 'away'))
  for (const version of [base, adapted]) await expect(test.cache.acquire(version)).rejects.toThrow('neither model.safetensors nor')
  renameSync(join(baseFolder, 'away'), join(baseFolder, 'model.safetensors'))
  renameSync(join(adapterFolder, 'adapter_model.safetensors'), join(adapterFolder, 'away'))
  const both = await Promise.allSettled([adapted, adapted].map((version) => test.cache.acquire(version)))
  for (const each of both) expect(each).toMatchObject({ status: 'rejected', reason: { kind: 'damaged' } })
  test.cache.unload('base model')
  expect([test.memory.usedBytes, test.cache.loadedKeys]).toEqual([before, []])
  renameSync(join(adapterFolder, 'away'), join(adapterFolder, 'adapter_model.safetensors'))
  expect((await test.cache.acquire(adapted)).key).toBe('model/1/')
})

test('weights that are unloaded while they are read remain until their last use ends', async () => {
  const test = createCache()
  const before = test.memory.usedBytes
  const requested = test.cache.acquire(base)
  test.cache.unload('base model')
  const weights = await requested
  expect(test.memory.usedBytes).toBeGreaterThan(before)
  test.cache.release(weights)
  expect(test.memory.usedBytes).toBe(before)
})
