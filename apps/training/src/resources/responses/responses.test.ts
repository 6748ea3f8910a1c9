import { randomUUID } from 'node:crypto'
import type { ChatCompletion, RecordedTrajectoryGroup } from '@heddle/core-api/types'
import fc from 'fast-check'
import OpenAI from 'openai'
import { zodTextFormat } from 'openai/helpers/zod'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { z } from 'zod'
import { send } from '../../testing/send.ts'
import { startTinyApp, type TinyApp } from '../../testing/start-tiny-app.ts'

let tiny: TinyApp
let client: OpenAI
let model: string
let model_id: string
beforeAll(async () => {
  tiny = await startTinyApp()
  ;({ id: model_id, name: model } = await tiny.createModel())
  client = new OpenAI({ baseURL: 'http://heddle.test/v1', apiKey: tiny.app.apiKey, maxRetries: 0, fetch: tiny.fetch })
})
afterAll(() => tiny.close())

const parameters = {
  type: 'object',
  properties: { a: { type: 'integer', minimum: 0, maximum: 99 } },
  required: ['a'],
  additionalProperties: false,
}
const add: OpenAI.Responses.FunctionTool = { type: 'function', name: 'add', description: 'Adds one', parameters, strict: true }
const seeded = (seed: number) => ({ seed }) as object
const chat = async (body: object) => (await send(tiny.app, 'POST', '/v1/chat/completions', { model, ...body })).body as ChatCompletion
const post = (body: object) => send(tiny.app, 'POST', '/v1/responses', body)

/** What differs between two equal requests. */
const withoutIds = ({ id: _id, output, created_at: _created, completed_at: _completed, ...rest }: OpenAI.Responses.Response) => ({
  ...rest,
  output: output.map(({ id: _item, ...item }) => item),
})

describe('the published client', () => {
  test('gets the text and the log-probabilities of the chat completion with the same seed', async () => {
    const include = ['message.output_text.logprobs' as const]
    const asked = { model, input: 'hi', instructions: 'be brief', max_output_tokens: 9, include, top_logprobs: 2, ...seeded(4) }
    const response = await client.responses.create(asked)
    const messages = [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'hi' },
    ]
    const { choices, usage } = await chat({ messages, max_tokens: 9, seed: 4, top_logprobs: 2 })
    expect(response).toMatchObject({
      object: 'response',
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      model,
      output: [{ type: 'message', role: 'assistant', status: 'incomplete', content: [{ logprobs: choices[0]!.logprobs!.content }] }],
      usage: { input_tokens: usage.prompt_tokens, output_tokens: 9, total_tokens: usage.total_tokens },
    })
    expect(response.output_text).toBe(choices[0]!.message.content)
  })

  test('rebuilds the same response from its stream, whose events are numbered', async () => {
    const include = ['message.output_text.logprobs' as const]
    const asked = { model, input: 'hi', max_output_tokens: 12, include, store: false, ...seeded(5) }
    const stream = client.responses.stream(asked)
    const numbers: number[] = []
    for await (const { sequence_number } of stream) numbers.push(sequence_number)
    expect(numbers).toEqual(numbers.map((_, index) => index))
    const whole = await client.responses.create(asked)
    expect(withoutIds(await stream.finalResponse())).toMatchObject(withoutIds(whole))
  })

  test('calls a function that it must call, streamed or not', async () => {
    const asked = { model, input: 'hi', tools: [add], tool_choice: 'required' as const, parallel_tool_calls: false, ...seeded(2) }
    const { output } = await client.responses.create(asked)
    expect(output.at(-1)).toMatchObject({ type: 'function_call', name: 'add', call_id: expect.any(String), status: 'completed' })
    const called = output.at(-1) as OpenAI.Responses.ResponseFunctionToolCall
    expect(JSON.parse(called.arguments)).toEqual({ a: expect.any(Number) })
    const streamed = await client.responses.stream(asked).finalResponse()
    expect(streamed.output.at(-1)).toMatchObject({ type: 'function_call', name: 'add', arguments: called.arguments })
    const named = await client.responses.create({ ...asked, tool_choice: { type: 'function', name: 'add' } })
    expect(named.output.at(-1)).toMatchObject({ type: 'function_call', name: 'add' })
  })

  test('calls a function of a namespace by its own name, and continues with its result', async () => {
    const { type, name, parameters } = add
    const crm = { type: 'namespace' as const, name: 'crm', description: 'Customers', tools: [{ type, name, parameters, strict: true }] }
    const asked = { model, input: 'hi', tools: [crm], tool_choice: 'required' as const, parallel_tool_calls: false, ...seeded(2) }
    const first = await client.responses.create(asked)
    const called = first.output.at(-1) as OpenAI.Responses.ResponseFunctionToolCall
    expect(called).toMatchObject({ type: 'function_call', name: 'add', namespace: 'crm', call_id: expect.any(String) })
    expect(first.tools).toEqual([crm])
    const streamed = await client.responses.stream(asked).finalResponse()
    expect(streamed.output.at(-1)).toMatchObject({ name: 'add', namespace: 'crm', arguments: called.arguments })
    const flat = { name: 'crm__add', description: 'Customers', parameters, strict: true }
    const asChat = { messages: [{ role: 'user', content: 'hi' }], tools: [{ type: 'function', function: flat }], tool_choice: 'required' }
    const { choices } = (await send(tiny.app, 'POST', '/v1/chat/completions', { model, ...asChat, parallel_tool_calls: false, seed: 2 }))
      .body as ChatCompletion
    expect(choices[0]!.message.tool_calls).toMatchObject([{ function: { name: 'crm__add', arguments: called.arguments } }])
    const result = { type: 'function_call_output' as const, call_id: called.call_id, output: '7' }
    const next = { model, tools: [crm], max_output_tokens: 6, ...seeded(3) }
    const continued = await client.responses.create({ ...next, input: [result], previous_response_id: first.id })
    const whole = [{ role: 'user', content: 'hi' }, ...first.output, result] as OpenAI.Responses.ResponseInput
    expect(withoutIds(continued)).toEqual({
      ...withoutIds(await client.responses.create({ ...next, input: whole })),
      previous_response_id: first.id,
    })
  })

  test('parses what a schema forced', async () => {
    const Answer = z.object({ verdict: z.enum(['yes', 'no']), score: z.int().min(0).max(9) })
    const response = await client.responses.parse({ model, input: 'hi', text: { format: zodTextFormat(Answer, 'answer') }, ...seeded(5) })
    expect(() => Answer.parse(response.output_parsed)).not.toThrow()
  })

  test('reads and deletes what it stored, and nothing else is stored', async () => {
    const stored = await client.responses.create({ model, input: 'hi', max_output_tokens: 3, metadata: { topic: 'demo' } })
    expect(await client.responses.retrieve(stored.id)).toMatchObject(stored)
    await client.responses.delete(stored.id)
    await expect(client.responses.retrieve(stored.id)).rejects.toThrow(OpenAI.NotFoundError)
    const unstored = await client.responses.create({ model, input: 'hi', max_output_tokens: 3, store: false })
    await expect(client.responses.retrieve(unstored.id)).rejects.toThrow(OpenAI.NotFoundError)
  })

  test.each([[true], [false]])(
    'continues a stored response as if it had sent the whole conversation (streamed: %s)',
    async (isStreamed) => {
      const asked = { model, tools: [add], tool_choice: 'required' as const, parallel_tool_calls: false, ...seeded(2) }
      const first = isStreamed
        ? await client.responses.stream({ ...asked, input: 'hi' }).finalResponse()
        : await client.responses.create({ ...asked, input: 'hi' })
      const { call_id } = first.output.at(-1) as OpenAI.Responses.ResponseFunctionToolCall
      const result = { type: 'function_call_output' as const, call_id, output: '7' }
      const next = { model, tools: [add], max_output_tokens: 6, ...seeded(3) }
      const continued = await client.responses.create({ ...next, input: [result], previous_response_id: first.id })
      const whole = await client.responses.create({
        ...next,
        input: [{ role: 'user', content: 'hi' }, ...first.output, result] as OpenAI.Responses.ResponseInput,
      })
      expect(withoutIds(continued)).toEqual({ ...withoutIds(whole), previous_response_id: first.id })
    },
  )
})

describe('a stored response', () => {
  const create = (body: object = {}) => client.responses.create({ model, input: 'hi', max_output_tokens: 2, ...body })

  test('is found by nobody else, not even by another user of its project', async () => {
    const { id } = await create()
    const ofBase = await create({ model: 'tiny' })
    for (const key of [
      { name: 'stranger', role: 'admin', entity: 'elsewhere' },
      { name: 'colleague', role: 'admin' },
    ] as const) {
      const other = await tiny.app.clientFor(key)
      for (const response_id of [id, ofBase.id]) {
        await expect(other.responses.read({ response_id })).rejects.toMatchObject({ status: 404 })
        await expect(other.responses.delete({ response_id })).rejects.toMatchObject({ status: 404 })
        await expect(other.responses.create({ model: 'tiny', input: 'hi', previous_response_id: response_id })).rejects.toMatchObject({
          status: 404,
        })
      }
    }
    expect(await client.responses.retrieve(id)).toMatchObject({ id })
    expect(await client.responses.retrieve(ofBase.id)).toMatchObject({ id: ofBase.id })
  })

  test('outlives the server', async () => {
    const { id } = await create()
    const another = await tiny.app.anotherServer({ engine: tiny.engine })
    const { status, body } = await send({ ...another, apiKey: tiny.app.apiKey }, 'GET', `/v1/responses/${id}`)
    expect({ status, body }).toMatchObject({ status: 200, body: { id } })
  })

  test('is gone with its model', async () => {
    const other = await tiny.createModel()
    const { id } = await create({ model: other.name })
    await tiny.app.client.models.delete({ model_id: other.id })
    await expect(client.responses.retrieve(id)).rejects.toThrow(OpenAI.NotFoundError)
    const rows = () => tiny.app.database.selectFrom('model_responses').select('id').where('id', '=', id).execute()
    await expect.poll(rows).toEqual([])
  })
})

test('whatever is asked, text and log-probabilities are those of the chat completion with the same seed', async () => {
  const words = fc.stringMatching(/^[a-z ]{1,20}$/)
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        turns: fc.array(fc.record({ user: words, assistant: words }), { maxLength: 2 }),
        last: words,
        seed: fc.integer(),
        temperature: fc.constantFrom(0, 0.7, 1),
        top_p: fc.constantFrom(1, 0.9),
        tokens: fc.integer({ min: 1, max: 8 }),
        stream: fc.boolean(),
      }),
      async ({ turns, last, tokens, stream, ...sampling }) => {
        const said = turns.flatMap(({ user, assistant }) => [
          { role: 'user' as const, content: user },
          { role: 'assistant' as const, content: assistant },
        ])
        const input = [...said, { role: 'user' as const, content: last }]
        const include = ['message.output_text.logprobs' as const]
        const asked = { model, input, include, max_output_tokens: tokens, store: false, ...sampling }
        const response = stream ? await client.responses.stream(asked).finalResponse() : await client.responses.create(asked)
        const { choices, usage } = await chat({ messages: input, max_tokens: tokens, ...sampling })
        expect(response.output_text).toBe(choices[0]!.message.content)
        const [message] = response.output as OpenAI.Responses.ResponseOutputMessage[]
        expect(message!.content[0]).toMatchObject({ logprobs: choices[0]!.logprobs!.content })
        expect(response.usage).toMatchObject({ input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens })
      },
    ),
    { numRuns: inject('long') ? 200 : 12 },
  )
})

test('a conversation over stored responses is one recorded history, whose choices are what was sampled', async () => {
  const id = randomUUID()
  const headers = { 'x-heddle-trajectory-id': id }
  const asked = { model, tools: [add], tool_choice: 'required' as const, parallel_tool_calls: false }
  const outputs: number[] = []
  let input: string | OpenAI.Responses.ResponseInput = 'hi'
  let previous_response_id: string | null = null
  for (const seed of [1, 2, 3]) {
    const response = await client.responses
      .stream({ ...asked, input, previous_response_id, ...seeded(seed) } as never, { headers })
      .finalResponse()
    outputs.push(response.usage!.output_tokens)
    const { call_id } = response.output.at(-1) as OpenAI.Responses.ResponseFunctionToolCall
    input = [{ type: 'function_call_output', call_id, output: '7' }]
    previous_response_id = response.id
  }
  await tiny.app.client.recordedTrajectories.finish({ model_id, trajectory_id: id, reward: 1 })
  const groups: RecordedTrajectoryGroup[] = []
  for await (const group of await tiny.app.client.recordedTrajectories.groups({ model_id, group_id: id })) groups.push(group)
  const [trajectory] = groups[0]!.trajectories
  expect(trajectory!.additional_histories).toEqual([])
  const choices = trajectory!.messages_and_choices.filter((element) => 'message' in element)
  expect(choices.map((choice) => (choice['token_ids'] as number[]).length)).toEqual(outputs)
})

describe('refused with the field', () => {
  test.each<[string, object, number, string]>([
    ['an image', { input: [{ role: 'user', content: [{ type: 'input_image' }] }] }, 400, 'input[0].content[0].type is "input_image"'],
    ['an item of another kind', { input: [{ type: 'computer_call' }] }, 400, 'input[0].type is "computer_call"'],
    ['a role that is none', { input: [{ role: 'robot', content: '' }] }, 400, 'input[0].role is "robot"'],
    ['a result of no call', { input: [{ type: 'function_call_output', output: '' }] }, 400, 'input[0].call_id must be a string'],
    ['a tool of the server', { tools: [{ type: 'web_search' }] }, 400, 'tools[0].type is "web_search"'],
    [
      'a tool of the server in a namespace',
      { tools: [{ type: 'namespace', name: 'a', tools: [{ type: 'custom', name: 'b' }] }] },
      400,
      'tools[0].tools[0].type is "custom"; "function" and "namespace" are supported',
    ],
    [
      'a name that is too long with its namespace',
      { tools: [{ type: 'namespace', name: 'a'.repeat(60), tools: [{ type: 'function', name: 'long' }] }] },
      400,
      '64 characters are the most, so shorten either',
    ],
    [
      'a name that another function has with its namespace',
      {
        tools: [
          { type: 'function', name: 'a__b' },
          { type: 'namespace', name: 'a', tools: [{ type: 'function', name: 'b' }] },
        ],
      },
      400,
      'tools[1].tools[0].name is "a__b" with its namespace, as is tools[0]; rename one',
    ],
    ['a choice among tools', { tools: [add], tool_choice: { type: 'allowed_tools' } }, 400, 'tool_choice.type is "allowed_tools"'],
    ['work in the background', { background: true }, 400, 'background is not supported'],
    ['a stored conversation', { conversation: 'conv_1' }, 400, 'conversation is not supported'],
    ['a prompt that is cut', { truncation: 'auto' }, 400, 'truncation is "auto"'],
    ['a response that there is not', { previous_response_id: 'resp_1' }, 404, 'previous_response_id: response "resp_1" not found'],
    ['an effort that is none', { reasoning: { effort: 'some' } }, 400, 'reasoning.effort is "some"'],
    ['no input', { input: undefined }, 422, 'input'],
  ])('%s', async (_what, body, status, message) => {
    const answer = await post({ model: 'tiny', input: 'hi', max_output_tokens: 1, ...body })
    expect(answer).toMatchObject({ status, body: { error: { message: expect.stringContaining(message), code: status } } })
  })

  test('a body of any JSON is refused or answered, and never fails', async () => {
    const field = fc.constantFrom(
      'input',
      'instructions',
      'tools',
      'tool_choice',
      'text',
      'reasoning',
      'include',
      'previous_response_id',
      'metadata',
    )
    await fc.assert(
      fc.asyncProperty(field, fc.jsonValue({ maxDepth: 4 }), async (name, value) => {
        const { status, body } = await post({ model: 'tiny', input: 'hi', max_output_tokens: 1, store: false, [name]: value })
        expect({ status, body }).toMatchObject({ status: expect.toSatisfy((code: number) => code < 500) })
      }),
      { numRuns: inject('long') ? 2_000 : 60 },
    )
  })
})
