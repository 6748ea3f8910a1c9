import Anthropic from '@anthropic-ai/sdk'
import type { JsonObject } from '@heddle/core-api'
import { describe, expect, test } from 'vitest'
import { createAgentTracing } from '../../agent.ts'
import { createMessagesEndpoint, type MessageSays, type MessagesEndpoint } from '../../testing/messages-endpoint.ts'
import { pathOfSpan, recordSpans } from '../../testing/record-spans.ts'
import { logprobsOf } from '../../trajectory/find-logprobs.ts'
import type { RecordedTrajectory } from '../../trajectory/recorded.ts'
import { objectsOf } from '../json-values.ts'

const model = 'solver'
const heddle = 'https://heddle.test'

/** One attempt over the published client, whose endpoint is the training service unless another one is named. */
async function recordOne(
  endpoint: MessagesEndpoint,
  attempt: (client: Anthropic) => Promise<void>,
  { baseURL = heddle, policy = model } = {},
): Promise<RecordedTrajectory> {
  const agent = createAgentTracing({ environment: {}, baseUrl: heddle, fetch: endpoint.fetch, policy })
  const client = agent.wrapAnthropic(new Anthropic({ baseURL, apiKey: 'none', fetch: endpoint.fetch, maxRetries: 0 }))
  const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    await attempt(client)
    trajectory.reward(1)
  })
  return trajectories[0]!
}

const input_schema = { type: 'object' as const, properties: { a: { type: 'number' } } }
const tools: Anthropic.Tool[] = [{ name: 'add', description: 'Adds', input_schema }]
const hi = { role: 'user' as const, content: 'hé "there"\u2028' }
const hello = createMessagesEndpoint(() => ({ pieces: ['hel', 'lo'] }))

/** Calls the tool twice at once, then says what came back. */
function addsTwice(request: JsonObject): MessageSays {
  if (objectsOf(request['messages']).length > 1) return { pieces: ['it ', 'is ', '4'] }
  const use = { name: 'add', input: { a: 2 } }
  return { thinking: 'two and two', pieces: ['let me see'], toolUses: [use, use] }
}

async function loopOfTools(client: Anthropic, isStreamed: boolean): Promise<void> {
  const messages: Anthropic.MessageParam[] = [hi]
  for (;;) {
    const asked = { model, max_tokens: 50, system: 'Be brief.', messages, tools }
    const { content } = isStreamed ? await client.messages.stream(asked).finalMessage() : await client.messages.create(asked)
    const results = content.flatMap((block) =>
      block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: '2' }] : [],
    )
    if (results.length === 0) return
    messages.push({ role: 'assistant', content }, { role: 'user', content: results })
  }
}

describe('Messages of the client of Anthropic', () => {
  test.each([false, true])('a loop of parallel tools is one history with its tokens (streamed: %j)', async (isStreamed) => {
    const recorded = await recordOne(createMessagesEndpoint(addsTwice), (client) => loopOfTools(client, isStreamed))
    const [, , asked] = recorded.messages_and_choices
    const calls = objectsOf((asked as { message: JsonObject }).message['tool_calls'])
    const called = { name: 'add', arguments: isStreamed ? '{"a": 2}' : '{"a":2}' }
    expect(calls).toMatchObject([1, 2].map(() => ({ type: 'function', function: called })))
    expect(recorded.additional_histories).toEqual([])
    expect(recorded.messages_and_choices).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      hi,
      { finish_reason: 'tool_calls', message: { role: 'assistant', content: 'let me see', reasoning: 'two and two' }, token_ids: [0] },
      { role: 'tool', tool_call_id: calls[0]?.['id'], content: '2' },
      { role: 'tool', tool_call_id: calls[1]?.['id'], content: '2' },
      { finish_reason: 'stop', message: { content: 'it is 4' }, token_ids: [0, 1, 2], prompt_token_ids: [7] },
    ])
    expect(recorded.tools).toEqual([{ type: 'function', function: { name: 'add', description: 'Adds', parameters: input_schema } }])
    expect(logprobsOf(recorded)).toBe('complete')
  })

  test('the training service is asked for tokens, and no other endpoint gets a field that it does not know', async () => {
    const [own, other] = [createMessagesEndpoint(() => ({ pieces: ['a'] })), createMessagesEndpoint(() => ({ pieces: ['a'] }))]
    const ask = async (client: Anthropic) => void (await client.messages.create({ model, max_tokens: 5, messages: [hi] }))
    await recordOne(own, ask)
    const elsewhere = await recordOne(other, ask, { baseURL: 'https://models.test' })
    expect(own.requests[0]).toEqual({ model, max_tokens: 5, messages: [hi], return_token_ids: true })
    expect(other.requests[0]).toEqual({ model, max_tokens: 5, messages: [hi] })
    expect(elsewhere.messages_and_choices[1]).toMatchObject({ message: { content: 'a' }, logprobs: null })
  })

  test('a stream that the program leaves is context with what had arrived, and is not trained on', async () => {
    const recorded = await recordOne(
      createMessagesEndpoint(() => ({ pieces: ['a long ', 'answer ', 'that nobody reads'] })),
      async (client) => {
        for await (const event of await client.messages.create({ model, max_tokens: 50, messages: [hi], stream: true }))
          if (event.type === 'content_block_delta') break
      },
    )
    expect(recorded.metrics).toMatchObject({ incomplete_responses: 1 })
    const [, left] = recorded.messages_and_choices as JsonObject[]
    expect(left).toMatchObject({ role: 'assistant', content: expect.stringMatching(/^a long/) })
    expect(left!['content']).not.toContain('reads')
  })

  test.each([
    ['max_tokens', 'length'],
    ['stop_sequence', 'stop'],
    ['refusal', 'content_filter'],
  ])('the end %s is recorded as %s', async (end, reason) => {
    const endpoint = createMessagesEndpoint(() => ({ pieces: ['a'], end }))
    const recorded = await recordOne(
      endpoint,
      async (client) => void (await client.messages.create({ model, max_tokens: 5, messages: [hi] })),
    )
    expect(recorded.messages_and_choices[1]).toMatchObject({ finish_reason: reason })
  })

  test('what another model says is context', async () => {
    const recorded = await recordOne(
      hello,
      async (client) => void (await client.messages.create({ model, max_tokens: 5, messages: [hi] })),
      {
        policy: 'another',
      },
    )
    expect(recorded.messages_and_choices).toEqual([hi, expect.objectContaining({ role: 'assistant', content: 'hello' })])
  })

  test('a refused request is counted as failed, and the program gets the error of its client', async () => {
    const refusing = {
      ...hello,
      fetch: async () => Response.json({ type: 'error', error: { type: 'overloaded_error', message: 'busy' } }, { status: 529 }),
    }
    const recorded = await recordOne(refusing as MessagesEndpoint, async (client) => {
      await expect(client.messages.create({ model, max_tokens: 5, messages: [hi] })).rejects.toMatchObject({ status: 529 })
    })
    expect(recorded.metrics).toMatchObject({ failed_model_calls: 1 })
  })

  test('images are parts of their message, and a document is sent and named as not recorded', async () => {
    const image = { type: 'image' as const, source: { type: 'base64' as const, media_type: 'image/png' as const, data: 'AA==' } }
    const document = { type: 'document' as const, source: { type: 'text' as const, media_type: 'text/plain' as const, data: 'x' } }
    const endpoint = createMessagesEndpoint(() => ({ pieces: ['a'] }))
    const recorded = await recordOne(endpoint, async (client) => {
      for (const block of [image, document])
        await client.messages.create({
          model,
          max_tokens: 5,
          messages: [{ role: 'user', content: [{ type: 'text', text: 'see' }, block] }],
        })
    })
    expect(endpoint.requests).toHaveLength(2)
    expect(recorded.messages_and_choices[0]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
      ],
    })
    expect(recorded.metrics).toMatchObject({ unrecorded_model_calls: 1 })
    expect(recorded.logs.join()).toContain('a block of type "document", which has no form as a chat message')
  })

  test('the span of each call has the ids of its trajectory, and the choice that of its span', async () => {
    const { result: recorded, spans } = await recordSpans(() =>
      recordOne(hello, async (client) => void (await client.messages.stream({ model, max_tokens: 5, messages: [hi] }).finalMessage())),
    )
    const call = spans.find(({ name }) => name === `chat ${model}`)!
    expect(pathOfSpan(call, spans)).toBe(`trajectory > chat ${model}`)
    expect(call.attributes).toMatchObject({ 'heddle.trajectory_id': recorded.metadata['trajectory_id'], 'gen_ai.usage.output_tokens': 2 })
    expect(recorded.messages_and_choices[1]).toMatchObject({ span_id: call.spanContext().spanId })
  })
})
