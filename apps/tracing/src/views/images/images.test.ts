import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { StoreError } from '@heddle/datastore'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createModelProviders } from '../../providers/model-providers.ts'
import { startTestApp, type TestApp, type TestServer } from '../../testing/start-test-app.ts'
import { startTestProvider, type TestProvider } from '../../testing/start-test-provider.ts'
import { toImageRequest, toImageResponse } from './image-request.ts'

const answer = { created: 1_750_000_000, data: [{ url: 'https://images.test/1.png', revised_prompt: 'a big loom' }] }

let app: TestApp
let server: TestServer
let provider: TestProvider

beforeAll(async () => {
  app = await startTestApp()
  provider = await startTestProvider()
  const { baseUrl } = provider
  server = await app.anotherServer({
    outgoing: createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) }),
    providers: createModelProviders(
      [
        { name: 'openai', baseUrl, apiKey: 'provider-secret' },
        { name: 'local', baseUrl: `${baseUrl}/local`, apiKey: undefined },
        { name: 'gone', baseUrl: 'http://127.0.0.1:1/v1', apiKey: undefined },
      ],
      'openai',
    ),
  })
})
afterAll(async () => {
  provider.close()
  await app.close()
})
beforeEach(() => {
  provider.forget()
  provider.reply = { status: 200, body: JSON.stringify(answer) }
})

const create = (inputs: Record<string, unknown>, more: object = {}, at: TestServer = server) => {
  const project_id = app.newProject()
  const request = { project_id, inputs: { prompt: 'a loom', ...inputs }, ...more } as Parameters<typeof at.client.images.create>[0]
  return at.client.images.create(request).then((made) => ({ ...made, project_id }))
}
const callsOf = async (project_id: string) => {
  const { calls } = await server.client.calls.query({ project_id })
  return calls
}

describe('an image', () => {
  test('comes back as the provider gave it, with the model', async () => {
    expect(await create({ model: 'dall-e-3' })).toMatchObject({
      response: { ...answer, model: 'dall-e-3' },
      weave_call_id: expect.any(String),
    })
    expect(provider.asked).toMatchObject([
      {
        url: '/v1/images/generations',
        headers: { authorization: 'Bearer provider-secret' },
        body: {
          model: 'dall-e-3',
          prompt: 'a loom',
          n: 1,
          size: '1024x1024',
          quality: 'standard',
          style: 'natural',
          response_format: 'url',
        },
      },
    ])
  })

  test('is made by the provider that its model names, without a key where it needs none', async () => {
    await create({ model: 'local/painter' })
    expect(provider.asked).toMatchObject([{ url: '/v1/local/images/generations', body: { model: 'painter' } }])
    expect(provider.asked[0]?.headers.authorization).toBeUndefined()
  })

  test.each([
    ['dall-e-3', 5, { n: 1, quality: 'standard', style: 'natural', response_format: 'url' }],
    ['dall-e-2', 5, { n: 5, response_format: 'url' }],
    ['dall-e-2', null, { n: 1, response_format: 'url' }],
    ['gpt-image-1', 2, { n: 2, quality: 'high' }],
    ['gpt-image-1-mini', null, { n: 1, quality: 'high' }],
    ['other', 2, { n: 2, response_format: 'url' }],
  ])('of %s, %j times, is requested with %o', (model, n, expected) => {
    expect(toImageRequest(model, { model, prompt: 'p', n })).toEqual({ model, prompt: 'p', size: '1024x1024', ...expected })
  })

  test.each([
    [
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    ],
    [
      { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
      { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 },
    ],
    [
      { input_tokens: 1, total_tokens: 3 },
      { prompt_tokens: 1, completion_tokens: 3, total_tokens: 3 },
    ],
    [{}, { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }],
  ])('that cost %o are reported with %o as well', (usage, filled) => {
    expect(toImageResponse('m', { created: 1, usage })).toEqual({ created: 1, model: 'm', usage: { ...usage, ...filled } })
  })

  test('without usage is reported without', () => {
    expect(toImageResponse('m', { created: 1 })).toEqual({ created: 1, model: 'm' })
  })
})

describe('failures are reported inside a 200 and leave no call', () => {
  const failed = async (inputs: Record<string, unknown>, at?: TestServer) => {
    const { response, weave_call_id, project_id } = await create(inputs, {}, at)
    expect(weave_call_id).toBeNull()
    expect(await callsOf(project_id)).toEqual([])
    return response
  }

  test('an empty model', async () => {
    expect(await failed({ model: '' })).toEqual({ error: 'Image generation failed: Model name is required' })
    expect(await failed({ model: '' }, app)).toEqual({ error: 'Image generation failed: Model name is required' })
  })

  test('no provider', async () => {
    expect(await failed({ model: 'dall-e-3' }, app)).toEqual({ error: 'No OpenAI API key found' })
  })

  test.each([
    [400, '{"error":{"message":"Your prompt is not allowed","code":"policy"}}', 'Your prompt is not allowed'],
    [401, '{"error":"Incorrect API key"}', 'Incorrect API key'],
    [200, '{"error":{"message":"overloaded"}}', 'overloaded'],
    [500, '<html>', 'Image generation failed: provider "openai" responded with status 500, without a JSON object'],
    [200, '[]', 'Image generation failed: provider "openai" responded with status 200, without a JSON object'],
    [404, '{}', 'Image generation failed: provider "openai" responded with status 404'],
  ])('an answer %i %s', async (status, body, error) => {
    provider.reply = { status, body }
    expect(await failed({ model: 'dall-e-3' })).toEqual({ error })
  })

  test('a provider that cannot be reached', async () => {
    expect(await failed({ model: 'gone/m' })).toEqual({
      error: expect.stringMatching(/^Image generation failed: cannot reach 127\.0\.0\.1:1/),
    })
  })

  test('a provider on a private address that is not allowed', async () => {
    const guarded = await app.anotherServer({
      providers: createModelProviders([{ name: 'openai', baseUrl: provider.baseUrl, apiKey: 's' }], 'openai'),
    })
    expect(await failed({ model: 'm' }, guarded)).toEqual({ error: expect.stringContaining('is not on the public internet') })
    expect(provider.asked).toEqual([])
  })
})

describe('the call of an image', () => {
  test('is a root of its own with inputs, answer and usage', async () => {
    const usage = { input_tokens: 7, output_tokens: 11, total_tokens: 18 }
    provider.reply.body = JSON.stringify({ ...answer, usage })
    const { weave_call_id, response, project_id } = await create({ model: 'gpt-image-1', size: 'ignored' })
    const filled = { ...usage, prompt_tokens: 7, completion_tokens: 11 }
    expect(response).toMatchObject({ usage: filled })
    expect(await callsOf(project_id)).toMatchObject([
      {
        id: weave_call_id,
        op_name: 'weave.image_generation_create',
        parent_id: null,
        inputs: { model: 'gpt-image-1', prompt: 'a loom', n: null },
        output: { ...answer, model: 'gpt-image-1', usage: filled },
        summary: { usage: { 'gpt-image-1': filled } },
        ended_at: expect.any(String),
      },
    ])
  })

  test.each([
    [undefined, 1],
    [null, 1],
    [true, 1],
    [false, 0],
  ])('with track_llm_call %j there are %i', async (track_llm_call, count) => {
    const { weave_call_id, project_id } = await create({ model: 'm' }, { track_llm_call })
    expect(await callsOf(project_id)).toHaveLength(count)
    expect(weave_call_id === null).toBe(count === 0)
  })

  test('that cannot be stored does not fail the request', async () => {
    const analytical = { ...app.stores.analytical, insert: () => Promise.reject(new StoreError('failed', 'no')) }
    const broken = await app.anotherServer({
      analytical: { ...app.stores.analytical, ...analytical },
      outgoing: createOutgoing({ allowed: parseAllowedTargets(['127.0.0.1']) }),
      providers: createModelProviders([{ name: 'openai', baseUrl: provider.baseUrl, apiKey: 's' }], 'openai'),
    })
    expect(await create({ model: 'm' }, {}, broken)).toMatchObject({ response: { data: answer.data }, weave_call_id: null })
  })
})

describe('a request', () => {
  test.each([[{}], [{ model: 'm' }], [{ model: 1, prompt: 'p' }], [{ model: 'm', prompt: 'p', n: 'x' }]])(
    'that is not of the declared shape is 422: %j',
    async (inputs) => {
      const request = { project_id: app.newProject(), inputs } as unknown as Parameters<typeof server.client.images.create>[0]
      await expect(server.client.images.create(request)).rejects.toMatchObject({ status: 422 })
      expect(provider.asked).toEqual([])
    },
  )

  test('of a key that may not write there is 403', async () => {
    const client = await server.clientFor({ name: 'reader', role: 'reader' })
    const refused = client.images.create({ project_id: app.newProject(), inputs: { model: 'm', prompt: 'p' } })
    await expect(refused).rejects.toMatchObject({ status: 403 })
    expect(provider.asked).toEqual([])
  })
})
