import { randomUUID } from 'node:crypto'
import Anthropic from '@anthropic-ai/sdk'
import type { ChatCompletion, RecordedTrajectoryGroup } from '@heddle/core-api/types'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { send } from '../../testing/send.ts'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'
import { EngineError } from '../../engine/engine.ts'
import { startTrainingApp } from '../../testing/start-training-app.ts'

let tiny: TinyApp
let client: Anthropic
let model: string
let model_id: string
beforeAll(async () => {
  tiny = await startTinyApp()
  ;({ id: model_id, name: model } = await tiny.createModel())
  client = new Anthropic({ baseURL: 'http://heddle.test', apiKey: tiny.app.apiKey, maxRetries: 0, fetch: tiny.fetch })
})
afterAll(() => tiny.close())

const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'hi' }]
const schema = {
  type: 'object' as const,
  properties: { a: { type: 'integer', minimum: 0, maximum: 99 } },
  required: ['a'],
  additionalProperties: false,
}
const add: Anthropic.Tool = { name: 'add', description: 'Adds one', input_schema: schema, strict: true }
const seeded = (seed: number) => ({ seed }) as object
const chat = async (body: object) => (await send(tiny.app, 'POST', '/v1/chat/completions', { model, ...body })).body as ChatCompletion
const post = (body: object | string, headers: Record<string, string> = {}) => send(tiny.app, 'POST', '/v1/messages', body, headers)

describe('the published client', () => {
  test('gets the text of the chat completion with the same seed', async () => {
    const message = await client.messages.create({ model, messages, max_tokens: 9, ...seeded(4) })
    const { choices, usage } = await chat({ messages, max_tokens: 9, seed: 4 })
    expect(message).toMatchObject({
      id: expect.stringMatching(/^msg_/),
      type: 'message',
      role: 'assistant',
      model,
      content: [{ type: 'text', text: choices[0]!.message.content }],
      stop_reason: 'max_tokens',
      stop_sequence: null,
      usage: { input_tokens: usage.prompt_tokens, output_tokens: 9, cache_read_input_tokens: 0 },
    })
  })

  test('rebuilds the same message from its stream', async () => {
    const asked = { model, messages, max_tokens: 12, ...seeded(5) }
    const { id: _id, ...whole } = await client.messages.create(asked)
    const { id: _streamed, ...streamed } = await client.messages.stream(asked).finalMessage()
    expect(streamed).toMatchObject(whole)
  })

  test('gets the tokens and log-probabilities of the chat completion with the same seed where it requests them, streamed or not', async () => {
    const asked = { model, messages, tools: [add], max_tokens: 60, return_token_ids: true, ...seeded(7) }
    const tools = [{ type: 'function', function: { name: 'add', description: 'Adds one', parameters: schema, strict: true } }]
    const sent = { messages, tools, max_tokens: 60, seed: 7, return_token_ids: true, logprobs: true }
    const [choice] = (await chat(sent)).choices
    const { token_ids, prompt_token_ids } = choice!
    const tokens = { token_ids, prompt_token_ids, logprobs: { content: choice!.logprobs!.content } }
    expect(token_ids!.length).toBeGreaterThan(0)
    expect(await client.messages.create(asked)).toMatchObject(tokens)
    const events = await client.messages.create({ ...asked, stream: true })
    let last: object = {}
    for await (const event of events) if (event.type === 'message_delta') last = event
    expect(last).toMatchObject(tokens)
    expect(await client.messages.create({ model, messages, max_tokens: 5 })).not.toHaveProperty('token_ids')
  })

  test('calls a tool that it must call, streamed or not, and gives its result back', async () => {
    const asked = { model, messages, tools: [add], max_tokens: 300, ...seeded(2) }
    const forced = { ...asked, tool_choice: { type: 'any' as const, disable_parallel_tool_use: true } }
    const message = await client.messages.create(forced)
    const call = message.content.find((block) => block.type === 'tool_use')!
    expect(message.stop_reason).toBe('tool_use')
    expect(call).toMatchObject({ name: 'add', input: { a: expect.any(Number) } })
    const streamed = await client.messages.stream(forced).finalMessage()
    expect(streamed.content.find((block) => block.type === 'tool_use')).toMatchObject({ name: 'add', input: call.input })
    const next = await client.messages.create({
      ...asked,
      max_tokens: 3,
      messages: [
        ...messages,
        { role: 'assistant', content: message.content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: '2' }] },
      ],
    })
    expect(next.usage.output_tokens).toBeLessThanOrEqual(3)
  })

  test('calls the tool that it names', async () => {
    const other = { ...add, name: 'other' }
    const tool_choice = { type: 'tool' as const, name: 'other' }
    const { content } = await client.messages.create({ model, messages, tools: [add, other], tool_choice, max_tokens: 300, ...seeded(8) })
    expect(content.at(-1)).toMatchObject({ type: 'tool_use', name: 'other' })
  })

  test('gets an answer that follows a schema', async () => {
    const output_config = { format: { type: 'json_schema' as const, schema } }
    const { content } = await client.messages.create({ model, messages, output_config, max_tokens: 300, ...seeded(3) })
    expect(content[0]?.type === 'text' && JSON.parse(content[0].text)).toEqual({ a: expect.any(Number) })
  })

  test('is told the text that ended its message', async () => {
    const asked = { model, messages, max_tokens: 20, ...seeded(6) }
    const { content } = await client.messages.create(asked)
    const text = content[0]?.type === 'text' ? content[0].text : ''
    const stop = text.slice(4, 6)
    const ended = await client.messages.create({ ...asked, stop_sequences: [stop] })
    expect(ended).toMatchObject({ stop_reason: 'stop_sequence', stop_sequence: stop })
    expect(ended.content).toMatchObject([{ type: 'text', text: text.slice(0, text.indexOf(stop)) }])
  })

  test('counts the tokens that its prompt will have, tools and system prompt included', async () => {
    const prompt = {
      model,
      messages,
      tools: [add],
      system: [{ type: 'text' as const, text: 'be brief', cache_control: { type: 'ephemeral' as const } }],
    }
    const { input_tokens } = await client.messages.countTokens(prompt)
    expect((await client.messages.create({ ...prompt, max_tokens: 1 })).usage.input_tokens).toBe(input_tokens)
    expect((await client.messages.countTokens({ model, messages })).input_tokens).toBeLessThan(input_tokens)
  })

  test('has what it began for the assistant continued', async () => {
    const begun: Anthropic.MessageParam[] = [...messages, { role: 'assistant', content: 'Well' }]
    const message = await client.messages.create({ model, messages: begun, max_tokens: 5, ...seeded(1) })
    const { choices } = await chat({ messages: begun, max_tokens: 5, seed: 1, add_generation_prompt: false, continue_final_message: true })
    expect(message.content).toMatchObject([{ text: choices[0]!.message.content }])
  })

  test.each([
    ['x-api-key', (key: string) => ({ 'x-api-key': key })],
    ['Authorization', (key: string) => ({ authorization: `Bearer ${key}` })],
  ])('gives its key in %s', async (_header, headersOf) => {
    const headers = { ...headersOf(tiny.app.apiKey), 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
    const body = JSON.stringify({ model, messages, max_tokens: 1 })
    expect((await tiny.fetch('http://heddle.test/v1/messages', { method: 'POST', headers, body })).status).toBe(200)
  })

  test('raises the error that it knows', async () => {
    await expect(client.messages.create({ model: 'gpt-9', messages, max_tokens: 1 })).rejects.toThrow(Anthropic.NotFoundError)
    const stranger = new Anthropic({ baseURL: 'http://heddle.test', apiKey: 'wrong', maxRetries: 0, fetch: tiny.fetch })
    await expect(stranger.messages.create({ model, messages, max_tokens: 1 })).rejects.toThrow(Anthropic.AuthenticationError)
  })
})

test('whatever is asked, text, length and tokens are those of the chat completion with the same seed', async () => {
  const words = fc.stringMatching(/^[a-z ]{1,20}$/)
  const turn = fc.record({ user: words, assistant: words })
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        turns: fc.array(turn, { maxLength: 2 }),
        last: words,
        system: fc.option(words),
        seed: fc.integer(),
        temperature: fc.constantFrom(0, 0.7, 1),
        top_k: fc.constantFrom(null, 5),
        max_tokens: fc.integer({ min: 1, max: 8 }),
        stream: fc.boolean(),
      }),
      async ({ turns, last, system, stream, ...sampling }) => {
        const said = turns.flatMap(({ user, assistant }) => [
          { role: 'user' as const, content: user },
          { role: 'assistant' as const, content: assistant },
        ])
        const conversation = [...said, { role: 'user' as const, content: last }]
        const asked = {
          model,
          messages: conversation,
          ...(system !== null && { system }),
          ...sampling,
        } as Anthropic.MessageCreateParamsNonStreaming
        const trajectory = randomUUID()
        const headers = { 'x-heddle-trajectory-id': trajectory }
        const message = stream
          ? await client.messages.stream(asked, { headers }).finalMessage()
          : await client.messages.create(asked, { headers })
        const first = system === null ? [] : [{ role: 'system', content: system }]
        const { choices, usage } = await chat({ messages: [...first, ...conversation], ...sampling, return_token_ids: true })
        expect(message.content.map((block) => (block.type === 'text' ? block.text : '')).join('')).toBe(choices[0]!.message.content)
        expect(message.usage).toMatchObject({ input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens })
        const [recorded] = await recordedChoices(trajectory)
        expect(recorded).toMatchObject({ token_ids: choices[0]!.token_ids, logprobs: { content: choices[0]!.logprobs!.content } })
      },
    ),
    { numRuns: inject('long') ? 200 : 12 },
  )
})

/** Finishes a trajectory of its own group, and returns what the policy sampled in it. */
async function recordedChoices(trajectory_id: string): Promise<Record<string, unknown>[]> {
  const { client: heddle } = tiny.app
  await heddle.recordedTrajectories.finish({ model_id, trajectory_id, reward: 1 })
  const groups: RecordedTrajectoryGroup[] = []
  for await (const group of await heddle.recordedTrajectories.groups({ model_id, group_id: trajectory_id })) groups.push(group)
  const [{ messages_and_choices, additional_histories }] = groups[0]!.trajectories as [RecordedTrajectoryGroup['trajectories'][number]]
  expect(additional_histories).toEqual([])
  return messages_and_choices.filter((element) => 'message' in element)
}

test('a conversation with calls is one recorded history, whose choices are what was sampled', async () => {
  const id = randomUUID()
  const headers = { 'x-heddle-trajectory-id': id }
  const conversation = [...messages]
  const asked = { model, tools: [add], tool_choice: { type: 'any' as const, disable_parallel_tool_use: true }, max_tokens: 100 }
  const outputs: number[] = []
  for (const seed of [1, 2, 3]) {
    const { content, usage } = await client.messages
      .stream({ ...asked, messages: conversation, ...seeded(seed) }, { headers })
      .finalMessage()
    outputs.push(usage.output_tokens)
    const results = content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: '7' }] : [],
    )
    conversation.push({ role: 'assistant', content }, { role: 'user', content: [...results, { type: 'text', text: 'again' }] })
  }
  const choices = await recordedChoices(id)
  expect(choices.map((choice) => (choice['token_ids'] as number[]).length)).toEqual(outputs)
})

test('a retried request takes the place of the first one in its trajectory', async () => {
  const id = randomUUID()
  const headers = { 'x-heddle-trajectory-id': id, 'idempotency-key': 'k' }
  await client.messages.create({ model, messages, max_tokens: 4, ...seeded(1) }, { headers })
  const { content } = await client.messages.create({ model, messages, max_tokens: 4, ...seeded(2) }, { headers })
  expect(await recordedChoices(id)).toMatchObject([{ message: { content: content[0]?.type === 'text' ? content[0].text : '' } }])
})

describe('an error has the form that clients read', () => {
  const asked = { model: 'tiny', messages, max_tokens: 1 }
  const image = { role: 'user', content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } }] }
  test.each<[string, object, number, string, string]>([
    ['an image', { ...asked, messages: [image] }, 400, 'invalid_request_error', 'messages[0].content[0].type is "image"'],
    [
      'a tool of the server',
      { ...asked, tools: [{ type: 'web_search_20250305', name: 'web_search' }] },
      400,
      'invalid_request_error',
      'tools[0].type is "web_search_20250305"',
    ],
    [
      'a server of tools',
      { ...asked, mcp_servers: [{ url: 'https://mcp.test' }] },
      400,
      'invalid_request_error',
      'mcp_servers is not supported',
    ],
    [
      'a choice that is none',
      { ...asked, tools: [add], tool_choice: { type: 'some' } },
      400,
      'invalid_request_error',
      'tool_choice.type is "some"',
    ],
    [
      'a schema that is none',
      { ...asked, output_config: { format: { type: 'xml' } } },
      400,
      'invalid_request_error',
      'output_config.format must be',
    ],
    ['no most tokens', { model: 'tiny', messages }, 422, 'invalid_request_error', 'max_tokens'],
    ['no token', { ...asked, max_tokens: 0 }, 400, 'invalid_request_error', 'max_tokens is 0'],
    ['a role that is none', { ...asked, messages: [{ role: 'tool', content: '' }] }, 422, 'invalid_request_error', 'messages.0.role'],
    [
      'a prompt that is too long',
      { ...asked, messages: [{ role: 'user', content: 'x'.repeat(5_000) }] },
      400,
      'invalid_request_error',
      '768 tokens',
    ],
    ['an unknown model', { ...asked, model: 'gpt-9' }, 404, 'not_found_error', 'model "gpt-9" not found'],
  ])('%s', async (_what, body, status, type, message) => {
    const answer = await post(body)
    expect(answer).toMatchObject({
      status,
      body: { type: 'error', error: { type, message: expect.stringContaining(message) }, request_id: null },
    })
  })

  test('a body of any JSON is refused or answered, and never fails', async () => {
    const field = fc.constantFrom(
      'messages',
      'system',
      'tools',
      'tool_choice',
      'thinking',
      'output_config',
      'stop_sequences',
      'temperature',
      'seed',
    )
    await fc.assert(
      fc.asyncProperty(field, fc.jsonValue({ maxDepth: 4 }), async (name, value) => {
        const { status, body } = await post({ ...asked, [name]: value })
        if (status !== 200)
          expect({ status, body }).toMatchObject({ body: { type: 'error', error: { type: expect.stringMatching(/_error$/) } } })
        expect(status).toBeLessThan(500)
      }),
      { numRuns: inject('long') ? 2_000 : 60 },
    )
  })

  test('as the last event, after the stream has begun', async () => {
    const app = await startTrainingApp()
    const generate = app.engine.generate.bind(app.engine)
    app.engine.generate = async function* (...args) {
      let count = 0
      for await (const tokens of generate(...args)) {
        if (count++ >= 2) throw new EngineError('unavailable', 'the engine restarts')
        yield tokens
      }
    }
    const fetch = (input: string | URL | Request, init?: RequestInit) => app.service.fetch(new Request(input, init))
    const over = new Anthropic({ baseURL: 'http://heddle.test', apiKey: app.apiKey, maxRetries: 0, fetch })
    await expect(over.messages.stream({ model: 'table', messages, max_tokens: 12 }).finalMessage()).rejects.toThrow('the engine restarts')
    await app.close()
  })
})
