import { randomUUID } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { extract } from 'tar-stream'
import '@heddle/testing'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createEmbeddedEngine, type EmbeddedEngine } from '../../engine/embedded/embedded-engine.ts'
import type { BaseModel } from '../../engine/engine.ts'
import { aGroup } from '../../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { untilEnded } from '../../testing/until-ended.ts'
import { aConfig, writeRandomModel } from '../../testing/write-random-model.ts'

const folder = mkdtempSync(join(inject('storesFolder'), 'export-'))
const config = aConfig({ vocabularySize: 512 })
const project = `export-${randomUUID().slice(0, 8)}`
let engine: EmbeddedEngine
let app: TrainingApp

const aBase = (id: string, adapter: BaseModel['adapter']): BaseModel => ({
  id,
  parameters: 1_000,
  contextLength: config.contextLength,
  folder: join(folder, id),
  adapter,
  learningRates: { rl: 1e-2, sft: 1e-2 },
})

beforeAll(async () => {
  const baseModels = [aBase('whole', null), aBase('adapted', { rank: 4, alpha: 8 })]
  for (const base of baseModels) writeRandomModel(base.folder, { config })
  const entry = new URL('model-engine-child.js', inject('builtChildren'))
  engine = createEmbeddedEngine({ entry, baseModels, memoryBytes: 64 * 2 ** 20, threads: 1 })
  app = await startTrainingApp({ service: { engine } })
})
afterAll(async () => {
  await app.close()
  await engine.close()
})

async function aTrainedModel(base_model: string): Promise<{ model_id: string; jobId: string }> {
  const { id: model_id } = await app.client.models.create({ project, name: randomUUID(), base_model })
  const { id } = await app.client.trainingJobs.create({
    model_id,
    trajectory_groups: [aGroup('a', 'b')],
    experimental_config: { learning_rate: 0.01 },
  })
  expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded' })
  return { model_id, jobId: id }
}

type Asked = Parameters<TrainingApp['client']['checkpoints']['export']>[0]

async function exported(asked: Asked): Promise<Map<string, Buffer>> {
  const { bytes } = await app.client.checkpoints.export(asked)
  const files = new Map<string, Buffer>()
  const archive = Readable.from([bytes]).pipe(extract())
  for await (const file of archive) files.set(file.header.name, await buffer(file))
  return files
}

const tokenizer = ['README.md', 'tokenizer.json', 'tokenizer_config.json']

test('a trained model is exported in each format, with its tokenizer and a card that names its job', async () => {
  const { model_id, jobId } = await aTrainedModel('adapted')
  const namesOf = async (format: Asked['format']) => [...(await exported({ model_id, step: 1, format })).keys()]
  expect(await namesOf('safetensors')).toEqual([...tokenizer, 'config.json', 'model.safetensors'])
  expect(await namesOf('gguf')).toEqual([...tokenizer, 'model-f16.gguf', 'Modelfile'])
  expect(await namesOf('peft')).toEqual([...tokenizer, 'adapter_config.json', 'adapter_model.safetensors'])
  const card = (await exported({ model_id, step: 1, format: 'peft' })).get('README.md')!.toString()
  expect(card).toContain('base_model: "adapted"')
  expect(card).toContain(jobId)
  expect(card).toContain('"learning_rate": 0.01')
})

test('a model whose weights are all trained is exported with them, and has no adapter', async () => {
  const { model_id } = await aTrainedModel('whole')
  const trained = (await exported({ model_id, step: 1, format: 'safetensors', numbers: 'f32' })).get('model.safetensors')!
  const base = (await exported({ model_id, step: 0, format: 'safetensors', numbers: 'f32' })).get('model.safetensors')!
  expect(trained.length).toBe(base.length)
  expect(trained.equals(base)).toBe(false)
  await expect(exported({ model_id, step: 1, format: 'peft' })).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('step 1 has no adapter; export it as safetensors or gguf') as string,
  })
})

test('numbers that a format does not have, and steps that are not there, are refused', async () => {
  const { id: model_id } = await app.client.models.create({ project, name: randomUUID(), base_model: 'adapted' })
  await expect(exported({ model_id, step: 0, format: 'safetensors', numbers: 'q8_0' })).rejects.toMatchObject({
    status: 400,
    message: 'numbers "q8_0" are not written as safetensors; use bf16, f16, f32',
  })
  await expect(exported({ model_id, step: 3, format: 'gguf' })).rejects.toMatchObject({ status: 404 })
})

test('exports take turns, those of a project few at a time, and one whose client leaves makes room', async () => {
  const limits = { running: 2, runningOfCaller: 2, runningOfProject: 1, waiting: 2, waitingOfProject: 1 }
  const server = await app.anotherServer({ engine, exportLimits: limits })
  const newModel = async (of: string) => {
    const { id } = await server.client.models.create({ project: of, name: randomUUID(), base_model: 'whole' })
    return `http://heddle.test/v1/preview/models/${id}/checkpoints/0/export?format=safetensors`
  }
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const begin = (url: string, signal?: AbortSignal) => server.service.fetch(new Request(url, { headers, ...(signal && { signal }) }))
  const [one, other] = [await newModel(project), await newModel(`${project}-other`)]

  const leaves = new AbortController()
  const unread = await begin(one, leaves.signal)
  expect(unread.status).toBe(200)
  const pair = [begin(one), begin(one)]
  // One of them waits.
  const refused = await Promise.race(pair)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toBe('10')
  expect(await refused.text()).toContain('other models are being exported: 2 at a time, 2 of an API key and 1 of a project')
  // Of another project there is room.
  const free = await begin(other)
  expect((await free.arrayBuffer()).byteLength).toBe(Number(free.headers.get('content-length')))

  leaves.abort()
  const next = (await Promise.all(pair)).find((response) => response !== refused)!
  expect(next.status).toBe(200)
  // One that is read to its end makes room as well.
  await next.arrayBuffer()
  await (await begin(one)).arrayBuffer()
  await server.close()
})
