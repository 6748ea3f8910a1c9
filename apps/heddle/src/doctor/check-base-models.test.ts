import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { aConfig, writeRandomModel } from '@heddle/training/testing'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { checkBaseModels } from './check-base-models.ts'

let own: string
const withDefaults = (baseModelsDir: string | undefined) => ({
  baseModelsDir,
  trainingMemoryBytes: 2 ** 30,
  trainingThreads: 2,
  trainingEngineUrl: undefined,
  trainingLauncherFile: undefined,
})

beforeEach(() => {
  own = mkdtempSync(join(tmpdir(), 'heddle-doctor-models-'))
})
afterEach(() => rmSync(own, { recursive: true, force: true }))

test('the models that come along can be used, and their memory is shown', async () => {
  expect(await checkBaseModels(withDefaults(undefined))).toEqual([
    {
      name: 'Base models',
      state: 'ok',
      detail: expect.stringMatching(
        /heddle-nano \(\d+(\.\d)? KiB to serve, \d+(\.\d)? MiB to train on sequences of up to 1024 tokens\)/,
      ) as string,
    },
  ])
})

test('an invalid model folder is a warning with the reason, a missing directory a failure', async () => {
  const folder = join(own, 'notes')
  mkdirSync(folder)
  expect(await checkBaseModels(withDefaults(own))).toMatchObject([
    { state: 'ok' },
    {
      state: 'warning',
      detail: expect.stringContaining(join(folder, 'config.json')) as string,
      remedy: expect.stringContaining(folder) as string,
    },
  ])
  const missing = join(own, 'missing')
  expect(await checkBaseModels(withDefaults(missing))).toMatchObject([
    { state: 'failure', detail: expect.stringContaining(missing) as string },
  ])
})

test('models of a training server need no weights here, may be of any family, and take no memory of this machine', async () => {
  const folder = join(own, 'elsewhere')
  writeRandomModel(folder)
  rmSync(join(folder, 'model.safetensors'))
  writeFileSync(join(folder, 'config.json'), JSON.stringify({ model_type: 'other', vocab_size: 512, max_position_embeddings: 4_096 }))
  expect(await checkBaseModels(withDefaults(own))).toMatchObject([{ state: 'ok' }, { state: 'warning' }])
  const settings = { ...withDefaults(own), trainingMemoryBytes: 2 ** 20, trainingEngineUrl: 'http://127.0.0.1:8000' }
  expect(await checkBaseModels(settings)).toEqual([
    {
      name: 'Base models',
      state: 'ok',
      detail: expect.stringMatching(/^elsewhere \(weights on the training server\), heddle-micro .*, heddle-nano /) as string,
    },
  ])
})

test('without any model the installation is incomplete', async () => {
  expect(await checkBaseModels(withDefaults(undefined), { shipped: own })).toMatchObject([{ state: 'failure', detail: 'none' }])
})

test('the memory of models that is not set follows from what the server may use', async () => {
  const unset = { ...withDefaults(undefined), trainingMemoryBytes: undefined }
  expect((await checkBaseModels(unset, { limit: { bytes: 2 ** 29 } })).map(({ state }) => state)).toEqual(['ok'])
  const own = mkdtempSync(join(tmpdir(), 'heddle-doctor-models-'))
  onTestFinished(() => rmSync(own, { recursive: true }))
  writeRandomModel(join(own, 'larger'), { config: aConfig({ vocabularySize: 512, width: 256, layers: 8, feedForwardWidth: 1_024 }) })
  const found = await checkBaseModels({ ...unset, baseModelsDir: own }, { limit: { bytes: 2 ** 29 } })
  expect(found[1]).toMatchObject({ state: 'warning', detail: expect.stringMatching(/larger takes .*, and models have 64 MiB/) as string })
})

test('each model that cannot be trained within the memory of models is a warning with the setting', async () => {
  const tooLarge = (model: string) => ({
    state: 'warning',
    detail: expect.stringMatching(
      new RegExp(`^${model} takes \\d+(\\.\\d)? MiB to train on sequences of up to 1024 tokens, and models have 1 MiB$`),
    ) as string,
    remedy: expect.stringContaining('HEDDLE_TRAINING_MEMORY_BYTES') as string,
  })
  expect(await checkBaseModels({ ...withDefaults(undefined), trainingMemoryBytes: 2 ** 20 })).toMatchObject([
    { state: 'ok' },
    tooLarge('heddle-micro'),
    tooLarge('heddle-nano'),
  ])
  const [, micro] = await checkBaseModels({ ...withDefaults(undefined), trainingMemoryBytes: 2 ** 20 })
  expect(micro).toMatchObject({ remedy: expect.stringMatching(/^set HEDDLE_TRAINING_MEMORY_BYTES to \d{7,} or more/) as string })
})
