import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeRandomModel } from '@heddle/training/testing'
import { expect, onTestFinished, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { openExternalServices } from './external-services.ts'
import { openTrainingEngine } from './training-engine.ts'
import type { ServerLog } from '../log/server-log.ts'

const logger = { warn: () => undefined } as unknown as ServerLog

test('a server that the operator named runs the models, and is asked with its key', async () => {
  const asked: (string | string[] | undefined)[] = []
  const server = createServer(({ url, headers }, response) => {
    asked.push(url, headers['x-api-key'])
    response.setHeader('content-type', 'application/json').end('{"status":"ok"}')
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  const { port } = server.address() as AddressInfo
  const environment = { HEDDLE_TRAINING_ENGINE_URL: `http://127.0.0.1:${port}/`, HEDDLE_TRAINING_ENGINE_API_KEY: 'tml-1' }
  const configuration = toConfiguration({ environment, flags: {} })
  const { outgoing } = await openExternalServices(configuration, logger)
  const { engine } = await openTrainingEngine({ configuration, logger, outgoing })
  onTestFinished(() => engine.close())
  expect(await engine.health()).toEqual({ ok: true, detail: { url: `http://127.0.0.1:${port}`, dialect: null } })
  expect(asked).toEqual(['/api/v1/healthz', 'tml-1'])
})

test('a training server needs the tokenizer of a model alone, whatever its family', async () => {
  const own = mkdtempSync(join(tmpdir(), 'heddle-models-'))
  onTestFinished(() => rmSync(own, { recursive: true }))
  writeRandomModel(join(own, 'elsewhere'))
  rmSync(join(own, 'elsewhere', 'model.safetensors'))
  const texts = { vocab_size: 512, max_position_embeddings: 4_096 }
  writeFileSync(join(own, 'elsewhere', 'config.json'), JSON.stringify({ model_type: 'other', text_config: texts }))
  const served = async (environment: Record<string, string>) => {
    const configuration = toConfiguration({ environment: { HEDDLE_BASE_MODELS_DIR: own, ...environment }, flags: {} })
    const { outgoing } = await openExternalServices(configuration, logger)
    const { engine } = await openTrainingEngine({ configuration, logger, outgoing })
    onTestFinished(() => engine.close())
    return (await engine.baseModels()).find(({ id }) => id === 'elsewhere')
  }
  expect(await served({ HEDDLE_TRAINING_ENGINE_URL: 'http://127.0.0.1:9' })).toMatchObject({ parameters: null, contextLength: 4_096 })
  expect(await served({})).toBeUndefined()
})

test('a folder that holds no model is logged with its path and reason, and the other models are served', async () => {
  const own = mkdtempSync(join(tmpdir(), 'heddle-models-'))
  onTestFinished(() => rmSync(own, { recursive: true }))
  mkdirSync(join(own, 'broken'))
  writeFileSync(join(own, 'broken', 'config.json'), 'null')
  const warnings: unknown[] = []
  const configuration = toConfiguration({ environment: { HEDDLE_BASE_MODELS_DIR: own }, flags: {} })
  const { outgoing } = await openExternalServices(configuration, logger)
  const { engine, refusedBaseModels } = await openTrainingEngine({
    configuration,
    logger: { warn: (detail: unknown) => warnings.push(detail) } as unknown as ServerLog,
    outgoing,
  })
  onTestFinished(() => engine.close())
  expect((await engine.baseModels()).map(({ id }) => id)).toContain('heddle-nano')
  expect(refusedBaseModels.map(({ folder }) => folder)).toEqual([join(own, 'broken')])
  expect(warnings).toEqual([{ path: join(own, 'broken'), reason: expect.stringContaining('config.json') as string }])
})
