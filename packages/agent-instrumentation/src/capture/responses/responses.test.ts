import type { JsonObject } from '@heddle/core-api'
import type { Choice } from '@heddle/core-api/histories'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { createAgentTracing } from '../../agent.ts'
import { createResponsesEndpoint, type ModelSays, type ResponsesEndpoint } from '../../testing/responses-endpoint.ts'
import { logprobsOf } from '../../trajectory/find-logprobs.ts'
import type { RecordedTrajectory } from '../../trajectory/recorded.ts'
import { objectsOf } from '../json-values.ts'
import { isUnrecordable } from '../model-api.ts'
import { itemsToMessages } from './items-to-messages.ts'
import { outputToChoice } from './output-to-choice.ts'
import { createStoredResponses } from './stored-responses.ts'

const model = 'solver'
const baseURL = 'https://models.test/v1'

async function recordOne(endpoint: ResponsesEndpoint, attempt: (client: OpenAI) => Promise<void>): Promise<RecordedTrajectory> {
  const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: model })
  const client = agent.wrapOpenAI(new OpenAI({ baseURL, apiKey: 'none', fetch: endpoint.fetch }))
  const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    await attempt(client)
    trajectory.reward(1)
  })
  return trajectories[0]!
}

const entry = (token: string) => ({ token, logprob: -0.5, bytes: [...Buffer.from(token)], top_logprobs: [] })
const hi = { role: 'user', content: 'hé "there"\u2028' } as const
const tools: OpenAI.Responses.FunctionTool[] = [
  {
    type: 'function',
    name: 'add',
    description: 'Adds',
    strict: false,
    parameters: { type: 'object', properties: { a: { type: 'number' } } },
  },
]

/** Calls the tool twice at once, then says what came back. */
function addsTwice(request: JsonObject): ModelSays {
  const outputs = objectsOf(request['input']).filter(({ type }) => type === 'function_call_output')
  if (outputs.length > 0) return { pieces: ['it ', 'is ', '4'] }
  const call = { name: 'add', arguments: '{"a": 2}' }
  return { pieces: ['let me see'], toolCalls: [call, call], reasoning: 'two and two' }
}

/** What the tool loop above is, whichever way it travelled. */
function expectToolLoop(recorded: RecordedTrajectory) {
  const [, asked] = recorded.messages_and_choices
  const calls = objectsOf((asked as { message: JsonObject }).message['tool_calls'])
  expect(calls).toMatchObject([1, 2].map(() => ({ type: 'function', function: { name: 'add', arguments: '{"a": 2}' } })))
  expect(recorded.additional_histories).toEqual([])
  expect(recorded.messages_and_choices).toMatchObject([
    hi,
    { finish_reason: 'tool_calls', message: { role: 'assistant', content: 'let me see' }, reasoning_items: [{ type: 'reasoning' }] },
    { role: 'tool', tool_call_id: calls[0]?.['id'], content: '2' },
    { role: 'tool', tool_call_id: calls[1]?.['id'], content: '2' },
    { finish_reason: 'stop', message: { content: 'it is 4' }, logprobs: { content: ['it ', 'is ', '4'].map(entry) } },
  ])
  const { name, description, parameters, strict } = tools[0]!
  expect(recorded.tools).toEqual([{ type: 'function', function: { name, description, parameters, strict } }])
  expect(logprobsOf(recorded)).toBe('complete')
}

describe('the Responses API of the openai client', () => {
  test.each(['plain', 'stream', 'stream with log-probabilities in its pieces alone'])(
    '%s: instructions, messages as sent and the choice with its log-probabilities',
    async (way) => {
      const endpoint = createResponsesEndpoint(() => ({ pieces: ['hel', 'lo'] }), {
        logprobsInDeltasAlone: way !== 'stream' && way !== 'plain',
      })
      let text = ''
      const recorded = await recordOne(endpoint, async (client) => {
        const body = { model, instructions: 'Be brief.', input: [hi] }
        if (way === 'plain') text = (await client.responses.create(body)).output_text
        else
          for await (const event of await client.responses.create({ ...body, stream: true }))
            if (event.type === 'response.output_text.delta') text += event.delta
      })
      expect(text).toBe('hello')
      expect(recorded.messages_and_choices).toEqual([
        { role: 'system', content: 'Be brief.' },
        hi,
        {
          index: 0,
          finish_reason: 'stop',
          message: { role: 'assistant', content: 'hello', refusal: null },
          logprobs: { content: [entry('hel'), entry('lo')], refusal: null },
        },
      ])
      expect(endpoint.requests[0]).toMatchObject({ include: ['message.output_text.logprobs'] })
      expect(recorded.metrics).toEqual({})
    },
  )

  test.each([false, true])('a tool loop that sends everything again (stream: %s) is one history', async (stream) => {
    const endpoint = createResponsesEndpoint(addsTwice)
    const recorded = await recordOne(endpoint, async (client) => {
      const input: OpenAI.Responses.ResponseInput = [hi]
      const { output } = await ask(client, { input, stream })
      const results = output.filter(({ type }) => type === 'function_call').map(resultOf)
      await ask(client, { input: [...input, ...(output as OpenAI.Responses.ResponseInputItem[]), ...results], stream })
    })
    expectToolLoop(recorded)
  })

  test.each([false, true])('a tool loop that refers to the response before (stream: %s) is the same history', async (stream) => {
    const endpoint = createResponsesEndpoint(addsTwice)
    const recorded = await recordOne(endpoint, async (client) => {
      const { output, id } = await ask(client, { input: [hi], stream })
      await ask(client, { input: output.filter(({ type }) => type === 'function_call').map(resultOf), previous_response_id: id, stream })
    })
    expectToolLoop(recorded)
  })

  test('items may be referred to by their ids', async () => {
    const endpoint = createResponsesEndpoint(addsTwice)
    const recorded = await recordOne(endpoint, async (client) => {
      const { output } = await ask(client, { input: [hi], stream: false })
      const references = output.map(({ id }) => ({ type: 'item_reference' as const, id: id! }))
      const results = output.filter(({ type }) => type === 'function_call').map(resultOf)
      await ask(client, { input: [hi, ...references, ...results], stream: false })
    })
    expectToolLoop(recorded)
  })

  test('parsed output is recorded as the text that it was', async () => {
    const endpoint = createResponsesEndpoint(() => ({ pieces: ['{"sum"', ':4}'] }))
    const recorded = await recordOne(endpoint, async (client) => {
      const format = { type: 'json_schema' as const, name: 'sum', schema: { type: 'object' }, strict: false }
      expect((await client.responses.parse({ model, input: 'sum?', text: { format } })).output_text).toBe('{"sum":4}')
    })
    expect(recorded.messages_and_choices).toMatchObject([{ role: 'user', content: 'sum?' }, { message: { content: '{"sum":4}' } }])
  })

  test('a response that was cut by its length says so', async () => {
    const endpoint = createResponsesEndpoint(() => ({ pieces: ['so lo'], end: 'max_output_tokens' }))
    const recorded = await recordOne(endpoint, async (client) => {
      await client.responses.create({ model, input: 'go on', max_output_tokens: 1 })
    })
    expect(recorded.messages_and_choices[1]).toMatchObject({ finish_reason: 'length', message: { content: 'so lo' } })
  })

  test('a stream that was left is context as far as it came, and not a choice', async () => {
    const endpoint = createResponsesEndpoint(() => ({ pieces: ['one ', 'two ', 'three'] }))
    const recorded = await recordOne(endpoint, async (client) => {
      for await (const event of await client.responses.create({ model, input: 'count', stream: true }))
        if (event.type === 'response.output_text.delta' && event.delta === 'two ') break
    })
    expect(recorded.metrics).toEqual({ incomplete_responses: 1 })
    expect(recorded.messages_and_choices).toMatchObject([{ content: 'count' }, { role: 'assistant' }])
    expect(String((recorded.messages_and_choices[1] as JsonObject)['content'])).toMatch(/^one two /)
  })

  test.each([
    ['a response of elsewhere', { input: 'x', previous_response_id: 'resp_9' }, 'the response "resp_9", which is not of this trajectory'],
    ['an item of elsewhere', { input: [{ type: 'item_reference' as const, id: 'i9' }] }, 'the item "i9", which is not of this trajectory'],
    ['a conversation of the endpoint', { input: 'x', conversation: 'conv_1' }, 'a conversation that the endpoint keeps'],
    ['a prompt of the endpoint', { input: 'x', prompt: { id: 'p1' } }, 'a prompt that the endpoint keeps'],
    [
      'a tool of the endpoint',
      {
        input: [
          { type: 'web_search_call' as const, id: 'w', status: 'completed' as const, action: { type: 'search' as const, query: 'q' } },
        ],
      },
      'an item of type "web_search_call"',
    ],
  ])('%s is sent and named in the logs, and not recorded', async (_case, body, reason) => {
    const endpoint = createResponsesEndpoint(() => ({ pieces: ['fine'] }))
    const recorded = await recordOne(endpoint, async (client) => {
      expect((await client.responses.create({ model, ...body } as OpenAI.Responses.ResponseCreateParamsNonStreaming)).output_text).toBe(
        'fine',
      )
    })
    expect(recorded).toMatchObject({ messages_and_choices: [], metrics: { unrecorded_model_calls: 1 } })
    expect(recorded.logs.join()).toContain(reason)
  })
})

test('images and files keep their place among the parts of a message', () => {
  const content = [
    { type: 'input_text', text: 'what is this?' },
    { type: 'input_image', image_url: 'data:image/png;base64,AA==', detail: 'low' },
    { type: 'input_file', file_id: 'f1' },
  ]
  expect(itemsToMessages([{ role: 'user', content }])).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'what is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==', detail: 'low' } },
        { type: 'input_file', file_id: 'f1' },
      ],
    },
  ])
})

test('a refusal that is sent back is the message that the choice was', () => {
  const output = [{ type: 'message', id: 'm', role: 'assistant', content: [{ type: 'refusal', refusal: 'I will not' }] }]
  const [choice] = completed(output)
  expect(choice?.message).toEqual({ role: 'assistant', content: '', refusal: 'I will not' })
  expect(itemsToMessages(output)).toEqual([choice?.message])
})

test('stored responses are bounded: the oldest are no longer known, and a chain that needs them is not either', () => {
  const stored = createStoredResponses(3)
  for (let turn = 0; turn < 5; turn++)
    stored.add({ id: `r${turn}`, previousId: turn === 0 ? undefined : `r${turn - 1}`, items: [{ id: `i${turn}` }] })
  expect([stored.item('i1'), stored.item('i2'), stored.itemsUpTo('r4')]).toEqual([undefined, { id: 'i2' }, undefined])
})

function completed(output: JsonObject[]): Choice[] {
  const completion = outputToChoice({ status: 'completed', output })
  return isUnrecordable(completion) ? [] : completion.choices
}

function resultOf(item: OpenAI.Responses.ResponseOutputItem): OpenAI.Responses.ResponseInputItem.FunctionCallOutput {
  return { type: 'function_call_output', call_id: (item as OpenAI.Responses.ResponseFunctionToolCall).call_id, output: '2' }
}

async function ask(
  client: OpenAI,
  { stream, ...body }: { input: OpenAI.Responses.ResponseInput; previous_response_id?: string; stream: boolean },
) {
  if (stream) return client.responses.stream({ model, tools, ...body }).finalResponse()
  return client.responses.create({ model, tools, ...body })
}

test('functions of a namespace are recorded as chat completions name them', async () => {
  const [{ strict: _strict, ...add }] = tools as [OpenAI.Responses.FunctionTool]
  const endpoint = createResponsesEndpoint(() => ({ pieces: ['a'] }))
  const recorded = await recordOne(endpoint, async (client) => {
    const called = { type: 'function_call' as const, call_id: 'c', name: 'add', namespace: 'crm', arguments: '{}' }
    const input = [hi, called, { type: 'function_call_output' as const, call_id: 'c', output: '1' }]
    const crm = { type: 'namespace' as const, name: 'crm', description: 'Customers', tools: [add] }
    await client.responses.create({ model, input, tools: [crm] })
  })
  expect(recorded.messages_and_choices[1]).toMatchObject({ tool_calls: [{ function: { name: 'crm__add' } }] })
  expect(recorded.tools).toMatchObject([{ type: 'function', function: { name: 'crm__add', description: 'Adds' } }])
})
