import { randomUUID } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addCheckpoint } from '../../testing/add-checkpoint.ts'
import { send } from '../../testing/send.ts'
import { startTrainingApp, type TrainingApp } from '../../testing/start-training-app.ts'

let app: TrainingApp
let openai: OpenAI
let anthropic: Anthropic
const project = `p-${randomUUID()}`
const model = `local/${project}/agent`
let model_id: string
beforeAll(async () => {
  app = await startTrainingApp({ service: { clock: () => 1_700_000_000_000_000 } })
  model_id = (await app.client.models.create({ project, name: 'agent', base_model: 'table' })).id
  const fetch = (input: string | URL | Request, init?: RequestInit) => app.service.fetch(new Request(input, init))
  openai = new OpenAI({ baseURL: 'http://heddle.test/v1', apiKey: app.apiKey, maxRetries: 0, fetch })
  anthropic = new Anthropic({ baseURL: 'http://heddle.test', apiKey: app.apiKey, maxRetries: 0, fetch })
})
afterAll(() => app.close())

const base = { id: 'table', object: 'model', created: 0, owned_by: 'system', type: 'model', created_at: '1970-01-01T00:00:00.000Z' }
const trained = {
  id: model,
  object: 'model',
  created: 1_700_000_000,
  owned_by: 'local',
  type: 'model',
  created_at: '2023-11-14T22:13:20.000Z',
}

test('published clients list the base models and the trained ones of the key', async () => {
  const listed = await openai.models.list()
  expect(listed.data.filter(({ id }) => id === 'table' || id === model)).toMatchObject([base, trained])
  const ids: string[] = []
  for await (const { id } of anthropic.models.list({ limit: 1 })) ids.push(id)
  expect(ids).toEqual(listed.data.map(({ id }) => id))
})

test('published clients read a model, a step of it, and what its id names is sampled', async () => {
  expect(await openai.models.retrieve(model)).toMatchObject(trained)
  await addCheckpoint(app, model_id, 2)
  expect(await openai.models.retrieve(model)).toMatchObject(trained)
  expect(await anthropic.models.retrieve(`${model}:step2`)).toMatchObject({ id: `${model}:step2`, owned_by: 'local', type: 'model' })
  await expect(openai.models.retrieve(`${model}:step9`)).rejects.toThrow(OpenAI.NotFoundError)
})

test('a key without access to a project sees none of its models', async () => {
  const stranger = await app.clientFor({ name: 'stranger', role: 'admin', entity: 'elsewhere' })
  const { data } = await stranger.servedModels.list({})
  expect(data.map(({ id }) => id)).not.toContain(model)
  await expect(stranger.servedModels.read({ model })).rejects.toMatchObject({ status: 404 })
})

test('a page after a model that is none is refused with the field', async () => {
  const { status, body } = await send(app, 'GET', '/v1/models?after_id=gpt-9')
  expect({ status, body }).toMatchObject({
    status: 404,
    body: { error: { message: 'after_id: model "gpt-9" was not found; name the last model of the page before' } },
  })
})
