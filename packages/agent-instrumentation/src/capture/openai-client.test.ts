import { Readable } from 'node:stream'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import { checkGroups } from '../groups/check-groups.ts'
import type { RecordedTrajectory } from '../trajectory/recorded.ts'
import type { Trajectory } from '../context/trajectory.ts'
import { createModelEndpoint, type ModelEndpoint, type Reply } from '../testing/model-endpoint.ts'

const model = 'heddle-artifact:///team/app/solver'
const settings = {
  baseUrl: 'http://127.0.0.1:7400',
  project: 'team/app',
  model: { name: 'solver', baseModel: 'heddle-nano' },
  environment: {},
}
const says =
  (text: string): Reply =>
  () => ({ pieces: [...text] })

/** Runs one attempt and returns what was recorded of it. */
async function recordOne(
  endpoint: ModelEndpoint,
  attempt: (client: OpenAI, trajectory: Trajectory) => Promise<void>,
): Promise<RecordedTrajectory> {
  const agent = createAgentTracing({ ...settings, fetch: endpoint.fetch })
  const client = agent.wrapOpenAI(new OpenAI({ baseURL: `${settings.baseUrl}/v1`, apiKey: 'none', fetch: endpoint.fetch }))
  const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    await attempt(client, trajectory)
    trajectory.reward(1)
  })
  const [recorded] = trajectories
  if (!recorded) throw new Error('nothing was recorded')
  return recorded
}

const question = [{ role: 'user' as const, content: 'hello?' }]

describe('chat completions of the openai client', () => {
  test('a completion is recorded with the messages as sent, and the whole choice with its log-probabilities and tokens', async () => {
    const endpoint = createModelEndpoint(says('hi'), { 'x-model-step': '3' })
    const recorded = await recordOne(endpoint, async (client) => {
      await client.chat.completions.create({ model, messages: question, temperature: 0.7 })
    })
    const [message, choice] = recorded.messages_and_choices
    expect(message).toEqual(question[0])
    expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: 'hi' }, token_ids: [104, 105], prompt_token_ids: [0] })
    expect(choice).toMatchObject({ logprobs: { content: [{ token: 'token_id:104', logprob: -0.5 }, { token: 'token_id:105' }] } })
    expect(recorded).toMatchObject({ initial_policy_version: 3, final_policy_version: 3, reward: 1, additional_histories: [] })
  })

  test('calls at the same time give the smallest and the largest step, whichever ends first, so that a stale one is seen', async () => {
    const steps = [7, 9]
    let letGo = () => {}
    const secondEnded = new Promise<void>((resolve) => (letGo = resolve))
    const endpoints = steps.map((step) => createModelEndpoint(says(String(step)), { 'x-model-step': String(step) }))
    let sent = 0
    const inner: typeof fetch = async (input, init) => {
      const place = sent++
      if (place === 0) await secondEnded
      return endpoints[place]!.fetch(input, init)
    }
    const recorded = await recordOne({ fetch: inner } as ModelEndpoint, async (client) => {
      const ask = (content: string) => client.chat.completions.create({ model, messages: [{ role: 'user', content }] })
      const first = ask('early')
      await ask('late')
      letGo()
      await first
    })
    expect(recorded).toMatchObject({ initial_policy_version: 7, final_policy_version: 9 })
    const group = { trajectories: [recorded], exceptions: [], metadata: {}, metrics: {}, logs: [] }
    expect(checkGroups([group], { maxVersionSpread: 1 }).warnings.join()).toContain('policy versions are 2 steps apart')
  })

  test('a stream is recorded as the same choice, and its chunks reach the program unchanged', async () => {
    const endpoint = createModelEndpoint(says('streamed'))
    let text = ''
    const streamed = await recordOne(endpoint, async (client) => {
      for await (const chunk of await client.chat.completions.create({ model, messages: question, stream: true }))
        text += chunk.choices[0]?.delta.content ?? ''
    })
    const plain = await recordOne(endpoint, async (client) => {
      await client.chat.completions.create({ model, messages: question })
    })
    expect(text).toBe('streamed')
    const content = (recorded: RecordedTrajectory) => recorded.messages_and_choices.map((element) => JSON.parse(JSON.stringify(element)))
    const [, choice] = content(streamed)
    const [, whole] = content(plain)
    expect({ ...choice, message: undefined }).toEqual({ ...whole, message: undefined })
    expect(choice.message.content).toBe(whole.message.content)
  })

  test('tools are run by the client: calls, results and the last response are one history with the tools', async () => {
    const endpoint = createModelEndpoint(({ body }) =>
      body.messages.some(({ role }) => role === 'tool')
        ? { pieces: ['4'] }
        : { pieces: [], toolCall: { name: 'add', arguments: '{"a":2,"b":2}' } },
    )
    for (const stream of [false, true]) {
      const recorded = await recordOne(endpoint, async (client) => {
        const tools = [
          {
            type: 'function' as const,
            function: {
              name: 'add',
              description: 'Adds',
              parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
              parse: JSON.parse as (text: string) => { a: number; b: number },
              function: ({ a, b }: { a: number; b: number }) => String(a + b),
            },
          },
        ]
        const runner = stream
          ? client.chat.completions.runTools({ model, messages: question, tools, stream: true })
          : client.chat.completions.runTools({ model, messages: question, tools })
        expect(await runner.finalContent()).toBe('4')
      })
      expect(recorded.additional_histories).toEqual([])
      expect(recorded.tools).toMatchObject([{ type: 'function', function: { name: 'add' } }])
      expect(recorded.messages_and_choices).toMatchObject([
        { role: 'user' },
        { finish_reason: 'tool_calls', message: { tool_calls: [{ id: 'call-1', function: { name: 'add', arguments: '{"a":2,"b":2}' } }] } },
        { role: 'tool', content: '4', tool_call_id: 'call-1' },
        { finish_reason: 'stop', message: { content: '4' } },
      ])
    }
  })

  test('several choices of one request are a history each', async () => {
    const endpoint = createModelEndpoint((_, choice) => ({ pieces: [`answer ${choice}`] }))
    const recorded = await recordOne(endpoint, async (client) => {
      await client.chat.completions.create({ model, messages: question, n: 3 })
    })
    const histories = [recorded, ...recorded.additional_histories]
    expect(histories.map(({ messages_and_choices: all }) => all[1])).toMatchObject(
      [0, 1, 2].map((index) => ({ index, message: { content: `answer ${index}` } })),
    )
  })

  test('what another model says is context, and is not asked for log-probabilities', async () => {
    const endpoint = createModelEndpoint(says('well done'))
    const recorded = await recordOne(endpoint, async (client) => {
      await client.chat.completions.create({ model: 'judge', messages: question })
    })
    expect(recorded.messages_and_choices[1]).toMatchObject({ role: 'assistant', content: 'well done' })
    expect(endpoint.requests[0]?.body).not.toHaveProperty('logprobs')
  })

  test('requests to the training service ask for tokens and leave the recording here; requests elsewhere do not ask', async () => {
    const endpoint = createModelEndpoint(says('x'))
    await recordOne(endpoint, async (client, trajectory) => {
      await client.chat.completions.create({ model, messages: question })
      const elsewhere = new OpenAI({ baseURL: 'https://models.test/v1', apiKey: 'none', fetch: trajectory.fetch })
      await elsewhere.chat.completions.create({ model: 'other', messages: question })
    })
    const [own, other] = endpoint.requests
    expect(own?.headers.get('x-heddle-trajectory-id')).toBeNull()
    expect(own?.body['return_token_ids']).toBe(true)
    expect(other?.body).not.toHaveProperty('return_token_ids')
  })

  test('a stream that the program leaves is recorded as context, and counted', async () => {
    const endpoint = createModelEndpoint(says('a long answer that nobody reads to its end'))
    const recorded = await recordOne(endpoint, async (client) => {
      for await (const chunk of await client.chat.completions.create({ model, messages: question, stream: true }))
        if (chunk.choices[0]?.delta.content === 'a') break
    })
    expect(recorded.messages_and_choices[1]).toMatchObject({ role: 'assistant', content: 'a' })
    expect(recorded.metrics).toEqual({ incomplete_responses: 1 })
  })

  test('a failed request is counted, fails the program as it would, and leaves no choice', async () => {
    const failing: ModelEndpoint = {
      requests: [],
      fetch: async () => Response.json({ error: { message: 'no such model' } }, { status: 404 }),
    }
    const recorded = await recordOne(failing, async (client) => {
      await expect(client.chat.completions.create({ model, messages: question })).rejects.toThrow('no such model')
    })
    expect(recorded.messages_and_choices).toEqual([])
    expect(recorded.metrics).toEqual({ failed_model_calls: 1 })
  })

  test('a model call that has no form as a chat completion is passed on, and named in the logs', async () => {
    const recorded = await recordOne(
      { requests: [], fetch: async () => Response.json({ object: 'list', data: [], model: 'm' }) },
      async (client) => {
        await client.embeddings.create({ model, input: 'hello', encoding_format: 'float' })
      },
    )
    expect(recorded.metrics).toEqual({ unrecorded_model_calls: 1 })
    expect(recorded.logs.join()).toContain('/v1/embeddings, which has no form as a chat completion')
  })

  test('outside of a trajectory the wrapped client behaves as it was, and adds nothing to requests', async () => {
    const endpoint = createModelEndpoint(says('hi'))
    const agent = createAgentTracing({ ...settings, fetch: endpoint.fetch })
    const client = agent.wrapOpenAI(new OpenAI({ baseURL: `${settings.baseUrl}/v1`, apiKey: 'none', fetch: endpoint.fetch }))
    expect((await client.chat.completions.create({ model, messages: question })).choices[0]?.message.content).toBe('hi')
    expect(endpoint.requests[0]?.body).toEqual({ model, messages: question })
  })

  test('a client that cannot be copied is refused with what to do instead', () => {
    const old = { chat: {} } as unknown as OpenAI
    const agent = createAgentTracing(settings)
    expect(() => agent.wrapOpenAI(old)).toThrow('no withOptions(), as those of openai 5 and later have; give it `fetch: agent.fetch`')
  })

  test('a stream that cannot be observed reaches the program, and is counted', async () => {
    const body = Object.assign(Readable.from([]), { headers: new Headers({ 'content-type': 'text/event-stream' }) })
    const response = { ok: true, headers: body.headers, body } as unknown as Response
    const agent = createAgentTracing({ ...settings, fetch: async () => response })
    const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      const sent = { method: 'POST', body: JSON.stringify({ model, messages: question, stream: true }) }
      expect(await agent.fetch('http://models.test/v1/chat/completions', sent)).toBe(response)
      trajectory.reward(1)
    })
    expect(trajectories[0]?.metrics).toEqual({ unrecorded_model_calls: 1 })
    expect(trajectories[0]?.logs.join()).toContain('not recorded: a stream that is not a web stream')
  })

  test('a call that passes several sources is recorded once, and sent once', async () => {
    const endpoint = createModelEndpoint(says('hi'))
    const agent = createAgentTracing({ ...settings, fetch: endpoint.fetch })
    const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      const twice = trajectory.openai(
        agent.wrapOpenAI(new OpenAI({ baseURL: `${settings.baseUrl}/v1`, apiKey: 'none', fetch: agent.fetch })),
      )
      await twice.chat.completions.create({ model, messages: question })
      const through = createAgentTracing({ ...settings, fetch: agent.fetch })
      const client = through.wrapOpenAI(new OpenAI({ baseURL: `${settings.baseUrl}/v1`, apiKey: 'none' }))
      await client.chat.completions.create({ model, messages: [{ role: 'user', content: 'through two' }] })
      trajectory.reward(1)
    })
    expect(endpoint.requests).toHaveLength(2)
    const [recorded] = trajectories
    expect([recorded, ...(recorded?.additional_histories ?? [])].map((history) => history?.messages_and_choices)).toMatchObject([
      [question[0], { message: { content: 'hi' } }],
      [{ content: 'through two' }, { message: { content: 'hi' } }],
    ])
  })

  test('a client keeps the fetch that it was made with', async () => {
    const endpoint = createModelEndpoint(says('hi'))
    const agent = createAgentTracing({ environment: {} })
    const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      const client = new OpenAI({ baseURL: `${settings.baseUrl}/v1`, apiKey: 'none', fetch: endpoint.fetch })
      await agent.wrapOpenAI(client).chat.completions.create({ model, messages: question })
      await trajectory.openai(client).chat.completions.create({ model, messages: question })
      trajectory.reward(1)
    })
    expect(endpoint.requests).toHaveLength(2)
    expect(trajectories).toMatchObject([{ additional_histories: [{}] }])
  })
})
