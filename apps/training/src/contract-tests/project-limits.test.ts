import { randomUUID } from 'node:crypto'
import { sqlProjectLimitsStore } from '@heddle/identity'
import { createProjectLimiter, type ProjectLimiter } from '@heddle/service-kit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { send } from '../testing/send.ts'
import { startTrainingApp, type TrainingApp, type TrainingServer } from '../testing/start-training-app.ts'

let app: TrainingApp
let server: TrainingServer
let limiter: ProjectLimiter
beforeAll(async () => {
  app = await startTrainingApp()
  limiter = createProjectLimiter({ store: sqlProjectLimitsStore(app.database), sharesStore: false, nowMs: () => 0 })
  server = await app.anotherServer({ limiter })
})
afterAll(() => app.close())

test('a project beyond its limit is refused, also where a request names a model of it, and chat clients are told as they know it', async () => {
  const project = `p-${randomUUID()}`
  const { id } = await server.client.models.create({ project, name: 'agent', base_model: 'table', return_existing: true })
  await limiter.set({ id: `local/${project}` }, { requests_per_minute: 1 })
  expect(await server.client.models.read({ model_id: id })).toMatchObject({ project })

  const refused = await send(server, 'GET', `/v1/preview/models/${id}`)
  expect([refused.status, refused.headers.get('retry-after'), refused.headers.get('ratelimit')]).toEqual([429, '60', '"project";r=0;t=60'])
  expect(refused.body).toEqual({ detail: expect.stringContaining('(requests_per_minute)') as string })

  const chat = { model: `local/${project}/agent`, messages: [{ role: 'user', content: 'hello' }] }
  const completion = await send(server, 'POST', '/v1/chat/completions', chat)
  expect(completion.status).toBe(429)
  expect(completion.body).toMatchObject({ error: { type: 'rate_limit_error', code: 429 } })
})

test('another project, and the health of the service, are not refused', async () => {
  const project = `p-${randomUUID()}`
  for (let request = 0; request < 3; request++)
    await server.client.models.create({ project, name: 'agent', base_model: 'table', return_existing: true })
  expect((await send(server, 'GET', '/v1/health')).status).toBe(200)
})
