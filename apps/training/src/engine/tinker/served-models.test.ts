import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeRemotePaths } from './remote-paths.ts'
import { createServedModels } from './served-models.ts'
import { TinkerRefusal } from './tinker-api.ts'
import type { TinkerModel } from './tinker-model.ts'

const never = new AbortController().signal

/** Models that are open, by their number, and what was done to open them. */
function aServer({ places = Infinity }: { places?: number } = {}) {
  const opened = new Set<string>()
  let count = 0
  const model = (id: string) =>
    ({ id, save: async () => `tinker://${id}/sampler`, close: async () => void opened.delete(id) }) as unknown as TinkerModel
  const open = async () => {
    if (opened.size >= places) throw new TinkerRefusal(400, `Maximum number of LoRA adapters (${places}) reached`)
    const id = `model-${++count}`
    opened.add(id)
    return model(id)
  }
  const served = createServedModels({ open, remoteName: async () => 'tiny', newName: () => 'saved' })
  /** Opens a model, and keeps it as that of a checkpoint. */
  const keepNew = async () => {
    const { id } = await open()
    await served.keep(`tinker://${id}/kept`, model(id))
    return id
  }
  return { opened, served, keepNew, count: () => count }
}

async function aVersion(id: string) {
  const folder = mkdtempSync(join(tmpdir(), 'heddle-served-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'adapter_config.json'), '{"r":4}')
  await writeRemotePaths(folder, { sampler: `tinker://${id}/kept`, training: `tinker://${id}/weights/kept` })
  return { key: `${id}/1/`, baseModel: 'tiny', folder }
}

const settings = { baseModel: 'tiny', rank: 4, seed: 1, load: null }

/** Lasts until it is ended. */
function aSample() {
  let end = () => {}
  let begin = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  const begun = new Promise<void>((resolve) => (begin = resolve))
  return { end, begun, sample: () => (begin(), ended) }
}

test('eight models are kept, those that were sampled from last', async () => {
  const { opened, served, keepNew } = aServer()
  for (let at = 0; at < 8; at++) await keepNew()
  await served.sampleFrom(await aVersion('model-1'), async () => undefined, never)
  await keepNew()
  expect([...opened].map((id) => Number(id.slice(6)))).toEqual([1, 3, 4, 5, 6, 7, 8, 9])
})

test('a model is not evicted while it is being sampled from', async () => {
  const { opened, served, keepNew } = aServer({ places: 2 })
  await keepNew()
  await keepNew()
  const { sample, begun, end } = aSample()
  const sampling = served.sampleFrom(await aVersion('model-1'), sample, never)
  await begun
  expect((await served.open(settings, never)).id).toBe('model-3')
  await served.unload('model-1/')
  await expect(served.open(settings, never)).rejects.toThrow('Maximum number')
  expect([...opened]).toEqual(['model-1', 'model-3'])
  end()
  await sampling
  await served.unload('model-1/')
  expect([...opened]).toEqual(['model-3'])
})

test('weights that are not loaded are loaded once for all who sample from them, and each is let go by its own signal', async () => {
  const { served, count } = aServer()
  const version = await aVersion('gone')
  const sample = async (address: string) => {
    if (address === 'tinker://gone/kept') throw new TinkerRefusal(400, 'Model gone not loaded')
    return address
  }
  const aborted = AbortSignal.abort(new Error('left'))
  const results = await Promise.allSettled([never, never, aborted].map((signal) => served.sampleFrom(version, sample, signal)))
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : (result.reason as Error).message))).toEqual([
    'tinker://model-1/sampler',
    'tinker://model-1/sampler',
    'left',
  ])
  expect(count()).toBe(1)
})

test.each([
  ['another refusal', new TinkerRefusal(400, 'max_tokens must be a positive number')],
  ['an error of another kind', new Error('Model gone not loaded')],
])('%s loads nothing', async (_, error) => {
  const { served, count } = aServer()
  await expect(served.sampleFrom(await aVersion('gone'), () => Promise.reject(error), never)).rejects.toBe(error)
  expect(count()).toBe(0)
})
