import { createOutgoing, parseAllowedTargets } from '@heddle/outgoing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createModelProviders } from '../../providers/model-providers.ts'
import { startTestApp, type TestApp, type TestServer } from '../../testing/start-test-app.ts'
import { startTestProvider, type TestProvider } from '../../testing/start-test-provider.ts'

const messages = [{ role: 'user', content: 'Hello' }]
const usage = { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 }
const answer = { choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }], usage }

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

type Request = Parameters<TestServer['client']['completions']['create']>[0]
const create = (inputs: Record<string, unknown>, more: object = {}, at: TestServer = server) => {
  const project_id = app.newProject()
  return at.client.completions
    .create({ project_id, inputs: { model: 'm', messages, ...inputs }, ...more } as Request)
    .then((made) => ({ ...made, project_id }))
}
const callsOf = async (project_id: string) => (await server.client.calls.query({ project_id })).calls

describe('a completion', () => {
  test('comes back as the provider gave it, and the provider gets the body as it was sent', async () => {
    expect(await create({ temperature: 0.5, tools: [{ type: 'function' }] })).toMatchObject({
      response: answer,
      weave_call_id: expect.any(String),
    })
    expect(provider.asked).toMatchObject([
      {
        url: '/v1/chat/completions',
        headers: { authorization: 'Bearer provider-secret' },
        body: { model: 'm', messages, temperature: 0.5, tools: [{ type: 'function' }] },
      },
    ])
  })

  test('is made by the provider that its model names, without a key where it needs none', async () => {
    await create({ model: 'local/small' })
    expect(provider.asked).toMatchObject([{ url: '/v1/local/chat/completions', body: { model: 'small' } }])
    expect(provider.asked[0]?.headers.authorization).toBeUndefined()
  })

  test('is recorded as a call with inputs, response and usage, and without credentials', async () => {
    const { project_id, weave_call_id } = await create(
      { metadata: { api_key: 'typed-secret' } },
      { trace_id: 'trace', parent_id: 'parent', conversation_id: 'talk' },
    )
    const [call] = await callsOf(project_id)
    expect(call).toMatchObject({
      id: weave_call_id,
      trace_id: 'trace',
      parent_id: 'parent',
      thread_id: 'talk',
      op_name: 'weave.completions_create',
      inputs: { model: 'm', messages, metadata: { api_key: 'REDACTED' } },
      output: answer,
      summary: { usage: { m: { ...usage, requests: 1 } } },
    })
  })

  test('with track_llm_call false is not recorded', async () => {
    const { project_id, weave_call_id } = await create({}, { track_llm_call: false })
    expect([weave_call_id, await callsOf(project_id)]).toEqual([null, []])
  })

  test.each([
    [400, '{"error":{"message":"Your prompt is too long"}}', 'Your prompt is too long'],
    [500, '<html>', 'provider "openai" responded with status 500, without a JSON object'],
  ])('that fails with %i says why in its response and in its call', async (status, body, error) => {
    provider.reply = { status, body }
    const { project_id, response } = await create({})
    expect(response).toEqual({ error })
    expect(await callsOf(project_id)).toMatchObject([{ exception: error, output: { error } }])
  })
})

describe('a request', () => {
  test.each([
    [{ model: ' ' }, 'inputs.model must name a model'],
    [{ messages: [] }, 'inputs.messages must hold at least one message'],
    [{ stream: true }, 'inputs.stream cannot be true: the response is sent as a whole'],
    [{ prompt: 'weave:///a/b/object/c:d' }, 'inputs.prompt is not supported; send the messages as the model is to read them'],
  ])('with %j is refused before a provider is asked', async (inputs, reason) => {
    await expect(create(inputs)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(reason) })
    expect(provider.asked).toEqual([])
  })

  test('without a provider names the setting that is missing', async () => {
    await expect(create({}, {}, app)).rejects.toMatchObject({ status: 400, message: expect.stringContaining('HEDDLE_PROVIDERS_FILE') })
  })

  test('of a key that may only read is 403', async () => {
    const client = await server.clientFor({ name: 'reader', role: 'reader' })
    await expect(client.completions.create({ project_id: app.newProject(), inputs: { model: 'm', messages } })).rejects.toMatchObject({
      status: 403,
    })
    expect(provider.asked).toEqual([])
  })
})

test('the providers are listed by their names alone', async () => {
  expect(await server.client.completions.providers({ project_id: app.newProject() })).toEqual({
    providers: [
      { name: 'openai', is_default: true },
      { name: 'local', is_default: false },
    ],
  })
})
