import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gunzipSync, gzipSync } from 'node:zlib'
import '@heddle/testing'
import { openThreadTime } from '@heddle/testing/thread-time'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { toAdapterFile } from '../../checkpoint-files/adapter-config.ts'
import { packCheckpoint } from '../../checkpoint-files/checkpoint-archive.ts'
import { writeSafetensors } from '../../checkpoint-files/safetensors.ts'
import { aPaxHeader, aTarFile, aTarHeader, inBlocks, octal, tarEnd } from '../../checkpoint-files/testing/tar-block.ts'
import { layOutAdapter, layOutModel, listAdapterParameters, listBaseParameters } from '../../engine/embedded/model/parameters.ts'
import { createEmbeddedEngine, type EmbeddedEngine } from '../../engine/embedded/embedded-engine.ts'
import type { BaseModel } from '../../engine/engine.ts'
import { aGroup } from '../../testing/sampled-choice.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'
import { untilEnded } from '../../testing/until-ended.ts'
import { aConfig, writeRandomModel } from '../../testing/write-random-model.ts'

const entry = new URL('model-engine-child.js', inject('builtChildren'))
const folder = mkdtempSync(join(inject('storesFolder'), 'import-'))
const adapter = { rank: 4, alpha: 8 }
const config = aConfig({ vocabularySize: 512 })
const project = `import-${randomUUID().slice(0, 8)}`
let engine: EmbeddedEngine
let app: TrainingApp

const aBase = (id: string, change: Partial<BaseModel>): BaseModel => ({
  id,
  parameters: 1_000,
  contextLength: config.contextLength,
  folder: join(folder, id),
  adapter: null,
  learningRates: { rl: 1e-2, sft: 1e-2 },
  ...change,
})

beforeAll(async () => {
  const baseModels = [aBase('whole', {}), aBase('adapted', { adapter })]
  for (const base of baseModels) writeRandomModel(base.folder, { config })
  engine = createEmbeddedEngine({ entry, baseModels, memoryBytes: 64 * 2 ** 20, threads: 1 })
  app = await startTrainingApp({ service: { engine } })
})
afterAll(async () => {
  await app.close()
  await engine.close()
})

async function newModel(base_model: string): Promise<string> {
  return (await app.client.models.create({ project, name: randomUUID(), base_model })).id
}

const put = (model_id: string, bytes: Uint8Array) => app.client.checkpoints.import({ model_id, bytes, content_type: 'application/gzip' })

interface AdapterFiles {
  rank?: number
  alpha?: number
  value?: number
  without?: string
  peft_type?: string
}

/** An adapter as PEFT writes it. */
async function anAdapter({ rank = 4, alpha = 8, value = 0.01, without, ...more }: AdapterFiles = {}): Promise<Uint8Array> {
  const files = mkdtempSync(join(folder, 'adapter-'))
  const parameters = listAdapterParameters(layOutAdapter(layOutModel(config, 'F32'), { rank, alpha })).filter(
    ({ name }) => name !== without,
  )
  const tensors = parameters.map(({ name, shape }) => ({ name, shape, read: () => new Float32Array(shape[0]! * shape[1]!).fill(value) }))
  writeSafetensors(join(files, 'adapter_model.safetensors'), tensors)
  writeFileSync(join(files, 'adapter_config.json'), JSON.stringify({ ...toAdapterFile({ rank, alpha }, 'adapted'), ...more }))
  return buffer(packCheckpoint(files))
}

test('an adapter becomes the first checkpoint, answers chats, and training continues from it', async () => {
  const model_id = await newModel('adapted')
  expect(await put(model_id, await anAdapter())).toMatchObject({ step: 1 })
  const { data } = await app.client.models.list({ project, limit: 1 })
  const chat = await app.client.chatCompletions.create({
    model: `${data[0]!.entity}/${project}/${data[0]!.name}:step1`,
    messages: [{ role: 'user', content: 'a' }],
    max_tokens: 2,
    seed: 1,
  })
  expect(chat.choices[0]!.logprobs!.content!.length).toBeGreaterThan(0)
  const { id } = await app.client.trainingJobs.create({ model_id, trajectory_groups: [aGroup('a', 'b')], experimental_config: null })
  expect(await untilEnded(app.client, id)).toMatchObject({ status: 'succeeded', parent_step: 1, step: 2 })
})

test('all weights of a model come back bit by bit from the archive that they were imported from', async () => {
  const first = await newModel('whole')
  const { id } = await app.client.trainingJobs.create({ model_id: first, trajectory_groups: [aGroup('a', 'b')], experimental_config: null })
  await untilEnded(app.client, id)
  const { bytes } = await app.client.checkpoints.archive({ model_id: first, step: 1 })
  const second = await newModel('whole')
  expect(await put(second, bytes)).toMatchObject({ step: 1, metrics: { imported_files: 4 } })
  const filesOf = async (model: string) =>
    (
      await app.database
        .selectFrom('checkpoints')
        .select('files')
        .where('model_id', '=', model)
        .where('step', '=', 1)
        .executeTakeFirstOrThrow()
    ).files
  expect(JSON.parse(await filesOf(second))).toEqual(JSON.parse(await filesOf(first)))
})

test('weights in several files with an index are read as one model', async () => {
  const files = mkdtempSync(join(folder, 'sharded-'))
  await cp(join(folder, 'whole'), files, { recursive: true })
  const names = listBaseParameters(layOutModel(config, 'F32')).map(({ name }) => name)
  await cp(join(files, 'model.safetensors'), join(files, 'model-00001-of-00001.safetensors'))
  await rm(join(files, 'model.safetensors'))
  const weight_map = Object.fromEntries(names.map((name) => [name, 'model-00001-of-00001.safetensors']))
  writeFileSync(join(files, 'model.safetensors.index.json'), JSON.stringify({ weight_map }))
  expect(await put(await newModel('whole'), await buffer(packCheckpoint(files)))).toMatchObject({ step: 1 })
})

test.each<[string, string, AdapterFiles]>([
  ['"r" in adapter_config.json is 2; models from "adapted" need 4', 'adapted', { rank: 2 }],
  ['"lora_alpha" in adapter_config.json is 16; models from "adapted" need 8', 'adapted', { alpha: 16 }],
  ['"peft_type" in adapter_config.json is not supported', 'adapted', { peft_type: 'IA3' }],
  [
    'has no tensor "base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight"',
    'adapted',
    { without: 'base_model.model.model.layers.0.self_attn.q_proj.lora_A.weight' },
  ],
  ['holds a number that is not finite', 'adapted', { value: Number.NaN }],
  ['models from "whole" are trained as a whole, and this is an adapter', 'whole', {}],
])('an adapter is refused: %s', async (message, base, files) => {
  const model_id = await newModel(base)
  const refused = put(model_id, await anAdapter(files))
  await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) })
  await expect(refused).rejects.toMatchObject({ message: expect.not.stringContaining(app.folder) })
  expect((await app.client.checkpoints.list({ model_id })).data.map(({ step }) => step)).toEqual([0])
})

test('a whole model of another shape is refused with the key, and one for a base with adapters with the way out', async () => {
  const files = mkdtempSync(join(folder, 'wider-'))
  writeRandomModel(files, { config: { ...config, feedForwardWidth: 40 } })
  const bytes = await buffer(packCheckpoint(files))
  await expect(put(await newModel('whole'), bytes)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('"intermediate_size" in config.json is 40; models from "whole" need 32'),
  })
  await expect(put(await newModel('adapted'), bytes)).rejects.toMatchObject({ message: expect.stringContaining('HEDDLE_BASE_MODELS_DIR') })
})

test.each([
  ['no archive', Buffer.from('weights'), 'not a tar.gz'],
  ['a cut archive', gzipSync(Buffer.alloc(700, 'x')), 'not a tar.gz'],
  ['an archive of nothing', gzipSync(Buffer.alloc(1_024)), 'neither an adapter'],
])('%s is refused', async (_name, bytes, message) => {
  await expect(put(await newModel('whole'), bytes)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(message) })
})

describe('a hostile archive', () => {
  const scratchOf = ({ folder: own }: TrainingApp) =>
    readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((path) => /(scratch\/imports|blobs\/incoming)\/./.test(path))

  const workedMs = openThreadTime()
  /** What it takes to unpack as much here. */
  let unpackMs: number
  beforeAll(() => {
    const packed = gzipSync(Buffer.alloc(1e8))
    const before = workedMs()
    gunzipSync(packed)
    unpackMs = workedMs() - before
  })

  /** Its engine computes with weights, and large bodies are read in threads, as in production. */
  async function startInThreads() {
    const bodyReading = { worker: new URL('body-thread.js', inject('builtChildren')) }
    return app.anotherServer({ engine, bodyReading, jobQueue: 'threads' })
  }

  test.each<[string, RegExp, Buffer[]]>([
    [
      'a configuration of 100 MB',
      /adapter_config.json has 100000000 bytes; at most 1048576/,
      [aTarHeader({ size: octal(1e8) }), Buffer.alloc(1e8)],
    ],
    ['a size that is not a number', /extension of its header/, [aPaxHeader('size=abc'), aTarFile('adapter_config.json', '{}')]],
    [
      'a header of tensors of 100 MB',
      /header of adapter_model.safetensors has 100000000 bytes; at most 4194304/,
      [
        aTarFile('adapter_config.json', JSON.stringify(toAdapterFile(adapter, 'adapted'))),
        aTarHeader({ name: 'adapter_model.safetensors', size: octal(8 + 1e8) }),
        inBlocks(Buffer.concat([Buffer.from(new BigUint64Array([BigInt(1e8)]).buffer), Buffer.alloc(1e8, ' ')])),
      ],
    ],
  ])('with %s is refused, delays nobody and leaves no files', async (_name, message, blocks) => {
    const server = await startInThreads()
    const model_id = await newModel('adapted')
    const bytes = gzipSync(Buffer.concat([...blocks, tarEnd]))
    const before = workedMs()
    const refused = server.client.checkpoints.import({ model_id, bytes, content_type: 'application/gzip' })
    await expect(refused).rejects.toMatchObject({ status: 400, message: expect.stringMatching(message) })
    expect(workedMs() - before).toBeLessThan(unpackMs * 2)
    expect(scratchOf(app)).toEqual([])
  })

  test('whose sender leaves is not read on, and leaves no files', async () => {
    const server = await startInThreads()
    const model_id = await newModel('adapted')
    const abort = new AbortController()
    const blocks = Array.from({ length: 100 }, (_, at) => aTarFile(`notes-${at}`, Buffer.alloc(2e6)))
    const request = new Request(`http://heddle.test/v1/preview/models/${model_id}/checkpoints`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.apiKey}`, 'content-type': 'application/gzip' },
      body: gzipSync(Buffer.concat(blocks), { level: 1 }),
      signal: abort.signal,
    })
    const answered = Promise.resolve(server.service.fetch(request)).catch(() => undefined)
    await expect.poll(() => scratchOf(app).some((path) => path.includes('imports'))).toBe(true)
    abort.abort()
    await answered
    await expect.poll(() => scratchOf(app)).toEqual([])
  })
})

test('what a process that was killed left of imports and jobs is removed when the next one first needs a folder', async () => {
  const scratchDir = join(folder, 'left-behind')
  for (const name of ['imports/a', 'jobs/b-1', 'checkpoints/c']) {
    mkdirSync(join(scratchDir, name), { recursive: true })
    writeFileSync(join(scratchDir, name, 'weights'), 'x')
  }
  const server = await app.anotherServer({ engine, scratchDir, jobQueue: 'after' })
  await expect.poll(() => existsSync(scratchDir)).toBe(false)
  const model_id = await newModel('adapted')
  await server.client.checkpoints.import({ model_id, bytes: await anAdapter(), content_type: 'application/gzip' })
  expect(readdirSync(join(scratchDir, 'imports'))).toEqual([])
})

test('a model that was trained takes no import, and another tenant finds no model', async () => {
  const model_id = await newModel('adapted')
  const bytes = await anAdapter()
  await put(model_id, bytes)
  await expect(put(model_id, bytes)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('register another one') })
  const other = await app.clientFor({ name: 'other', role: 'admin', entity: 'acme' })
  await expect(other.checkpoints.import({ model_id, bytes, content_type: 'application/gzip' })).rejects.toMatchObject({ status: 404 })
})
