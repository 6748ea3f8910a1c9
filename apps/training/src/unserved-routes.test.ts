import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { send } from './testing/send.ts'
import { startTrainingApp, type TrainingApp } from './testing/start-training-app.ts'

let app: TrainingApp
beforeAll(async () => {
  app = await startTrainingApp()
})
afterAll(() => app.close())

const options = () => ({
  apiKey: app.apiKey,
  maxRetries: 0,
  fetch: (input: string | URL | Request, init?: RequestInit) => app.service.fetch(new Request(input, init)),
})
const openai = (baseURL = 'http://heddle.test/v1') => new OpenAI({ ...options(), baseURL })
const anthropic = (baseURL = 'http://heddle.test') => new Anthropic({ ...options(), baseURL })
const hi = { model: 'm', max_tokens: 1, messages: [{ role: 'user' as const, content: 'hi' }] }

describe("OpenAI's client learns from an error", () => {
  const served = '/v1/chat/completions, /v1/responses, /v1/completions, /v1/models, /v1/files, /v1/fine_tuning/jobs'

  test('which route is not served, and which are', async () => {
    const error = await openai()
      .embeddings.create({ model: 'm', input: 'a' })
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(OpenAI.NotFoundError)
    expect(error).toMatchObject({
      message: `404 POST /v1/embeddings is not served; available: ${served}`,
      type: 'not_found_error',
      param: null,
    })
    await expect(openai().responses.inputItems.list('resp_1')).rejects.toThrow(
      `404 GET /v1/responses/resp_1/input_items is not served; available: ${served}`,
    )
  })

  test('which methods a path has', async () => {
    await expect(openai().chat.completions.list()).rejects.toThrow('405 GET /v1/chat/completions is not served; this path has POST')
    await expect(openai().models.delete('m')).rejects.toThrow('405 DELETE /v1/models/m is not served; this path has GET')
    expect((await send(app, 'PUT', '/v1/files')).headers.get('allow')).toBe('POST, GET')
  })

  test('that its base URL lacks /v1', async () => {
    await expect(openai('http://heddle.test').chat.completions.create(hi)).rejects.toThrow(
      '404 POST /chat/completions is not served; add /v1 to the base URL of the client',
    )
  })
})

describe("Anthropic's client learns from an error", () => {
  test('which route is not served, and which are', async () => {
    const error = await anthropic()
      .messages.batches.list()
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Anthropic.NotFoundError)
    const message = 'GET /v1/messages/batches is not served; available: /v1/messages, /v1/messages/count_tokens, /v1/models'
    expect(error).toMatchObject({
      type: 'not_found_error',
      error: { type: 'error', error: { type: 'not_found_error', message }, request_id: null },
    })
    await expect(anthropic().beta.skills.list()).rejects.toMatchObject({ type: 'not_found_error' })
  })

  test('which methods a path has', async () => {
    expect(await send(app, 'GET', '/v1/messages')).toMatchObject({
      status: 405,
      body: { type: 'error', error: { type: 'invalid_request_error', message: 'GET /v1/messages is not served; this path has POST' } },
    })
  })

  test('that its base URL ends with /v1', async () => {
    await expect(anthropic('http://heddle.test/v1').messages.create(hi)).rejects.toThrow(
      'POST /v1/v1/messages is not served; this client adds /v1 itself, so leave it out of its base URL',
    )
  })
})

test('a path of no provider has its error as all operations of Heddle', async () => {
  expect((await send(app, 'GET', '/v1/preview/none')).body).toEqual({
    detail: 'GET /v1/preview/none is not served; the API reference lists the operations',
  })
  expect((await send(app, 'GET', '/none')).body).toEqual({ detail: 'Not Found' })
})

test('a long path is repeated in part', async () => {
  const { body } = await send(app, 'GET', `/v1/${'x'.repeat(5_000)}`)
  expect((body as { detail: string }).detail.length).toBeLessThan(500)
})
