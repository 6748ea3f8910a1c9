import Anthropic from '@anthropic-ai/sdk'
import { serve } from '@heddle/service-kit'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTrainingApp, type TrainingApp } from './testing/start-training-app.ts'

let app: TrainingApp
beforeAll(async () => {
  app = await startTrainingApp()
})
afterAll(() => app.close())

const options = (apiKey: string) => ({
  apiKey,
  maxRetries: 0,
  fetch: (input: string | URL | Request, init?: RequestInit) => app.service.fetch(new Request(input, init)),
})
const openai = (apiKey = app.apiKey) => new OpenAI({ ...options(apiKey), baseURL: 'http://heddle.test/v1' })
const anthropic = (apiKey = app.apiKey) => new Anthropic({ ...options(apiKey), baseURL: 'http://heddle.test' })
const model = 'table'
const say = (content: string) => [{ role: 'user' as const, content }]

describe('a prompt that is too long', () => {
  const long = 'x'.repeat(600)

  test("has the code of OpenAI's API, and the name of the field", async () => {
    const { chat, responses, completions } = openai()
    const form = (param: string) => ({
      status: 400,
      code: 'context_length_exceeded',
      param,
      message: expect.stringMatching(
        new RegExp(`^400 ${param}: [a-z0-9 ]+ tokens; the context of table is 512 tokens for prompt and completion together: send less$`),
      ),
    })
    await expect(chat.completions.create({ model, messages: say(long) })).rejects.toMatchObject(form('messages'))
    await expect(responses.create({ model, input: long })).rejects.toMatchObject(form('input'))
    await expect(completions.create({ model, prompt: long })).rejects.toMatchObject(form('prompt'))
  })

  test("begins as that of Anthropic's API, by which agents compact a conversation", async () => {
    await expect(anthropic().messages.create({ model, max_tokens: 3, messages: say(long) })).rejects.toMatchObject({
      type: 'invalid_request_error',
      error: { error: { message: expect.stringMatching(/^prompt is too long: messages: \d+ tokens; the context of table is 512/) } },
    })
  })
})

describe('the field that is refused is named as the client sent it', () => {
  test('for no token', async () => {
    const { responses, completions } = openai()
    await expect(responses.create({ model, input: 'x', max_output_tokens: 0 })).rejects.toMatchObject({
      param: 'max_output_tokens',
      message: '400 max_output_tokens is 0; a completion has at least one token',
    })
    await expect(completions.create({ model, prompt: 'x', max_tokens: 0 })).rejects.toMatchObject({ param: 'max_tokens' })
    await expect(anthropic().messages.create({ model, max_tokens: 0, messages: say('x') })).rejects.toThrow(
      'max_tokens is 0; a completion has at least one token',
    )
  })

  test('for an effort and stop sequences', async () => {
    await expect(openai().responses.create({ model, input: 'x', reasoning: { effort: 'huge' as never } })).rejects.toMatchObject({
      param: 'reasoning.effort',
      message: '400 reasoning.effort is "huge"; it may be low, medium, high',
    })
    const effort = { effort: 'huge' as never }
    await expect(anthropic().messages.create({ model, max_tokens: 1, messages: say('x'), output_config: effort })).rejects.toThrow(
      'output_config.effort is \\"huge\\"; it may be low, medium, high',
    )
  })

  test('for a value of the wrong type, with its position', async () => {
    const { chat } = openai()
    await expect(chat.completions.create({ model, messages: say('x'), temperature: 'hot' as never })).rejects.toMatchObject({
      status: 422,
      param: 'temperature',
    })
    await expect(chat.completions.create({ model, messages: [...say('x'), { role: 'bot' as never, content: 'x' }] })).rejects.toMatchObject(
      {
        param: 'messages[1].role',
      },
    )
  })
})

test('a wrong key gets the way to another one', async () => {
  const wayOut = "Not authenticated: send a key of this server as the client's API key; `heddle keys create` creates one"
  await expect(openai('wrong').chat.completions.create({ model, messages: say('x') })).rejects.toMatchObject({
    type: 'authentication_error',
    message: `401 ${wayOut}`,
  })
  await expect(anthropic('wrong').messages.create({ model, max_tokens: 1, messages: say('x') })).rejects.toMatchObject({
    type: 'authentication_error',
    error: { error: { message: wayOut } },
  })
})

test('a model that is not there is an error for both clients', async () => {
  await expect(openai().models.retrieve('gpt-9')).rejects.toMatchObject({ type: 'not_found_error', param: 'model', code: 404 })
  await expect(anthropic().models.retrieve('claude-9')).rejects.toMatchObject({ status: 404, type: 'not_found_error' })
})

test('the id of a request is where each client reads it', async () => {
  const server = await serve({ ...app.service, host: '127.0.0.1', port: 0 })
  try {
    const ofOpenAi = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: app.apiKey, maxRetries: 0 })
    const ofAnthropic = new Anthropic({ baseURL: server.url, apiKey: app.apiKey, maxRetries: 0 })
    const asked = { model, messages: say('x'), max_tokens: 1 }
    expect((await ofOpenAi.chat.completions.create(asked))._request_id).toMatch(/^[\w-]{36}$/)
    expect((await ofAnthropic.messages.create(asked))._request_id).toMatch(/^[\w-]{36}$/)
    const { response } = await ofAnthropic.messages.create({ ...asked, stream: true }).withResponse()
    expect(response.headers.get('request-id')).toBe(response.headers.get('x-request-id'))
    await response.body?.cancel()
    const error: unknown = await ofAnthropic.messages.create({ ...asked, model: 'none' }).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ status: 404, requestID: expect.stringMatching(/^[\w-]{36}$/) })
  } finally {
    await server.close()
  }
})
