import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { toConfiguration } from '../settings/configuration.ts'
import { openExternalServices } from './external-services.ts'
import { openTrainingEngine } from './training-engine.ts'
import type { ServerLog } from './server-log.ts'

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
  const engine = await openTrainingEngine({ configuration, logger, outgoing })
  onTestFinished(() => engine.close())
  expect(await engine.health()).toEqual({ ok: true, detail: { url: `http://127.0.0.1:${port}`, dialect: null } })
  expect(asked).toEqual(['/api/v1/healthz', 'tml-1'])
})
