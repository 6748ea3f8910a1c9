import * as openAi5 from '@ai-sdk/openai'
import * as ai5 from 'ai'
import * as openAi6 from 'ai-sdk-openai-v6'
import * as openAi7 from 'ai-sdk-openai-v7'
import * as ai6 from 'ai-v6'
import * as ai7 from 'ai-v7'
import { describe, expect, test } from 'vitest'
import { type AgentTracing, createAgentTracing } from '../../agent.ts'
import { createModelEndpoint } from '../../testing/model-endpoint.ts'
import { createResponsesEndpoint } from '../../testing/responses-endpoint.ts'
import { logprobsOf } from '../../trajectory/find-logprobs.ts'
import type { RecordedTrajectory } from '../../trajectory/recorded.ts'
import { objectsOf } from '../json-values.ts'

/** The published packages, which are called alike here. */
interface Sdk {
  version: string
  ai: Pick<typeof ai5, 'generateText' | 'jsonSchema' | 'stepCountIs' | 'streamText' | 'tool' | 'wrapLanguageModel'>
  createOpenAI: typeof openAi5.createOpenAI
}
const sdks: readonly Sdk[] = [
  { version: '5', ai: ai5, createOpenAI: openAi5.createOpenAI },
  { version: '6', ai: ai6 as unknown as Sdk['ai'], createOpenAI: openAi6.createOpenAI as unknown as Sdk['createOpenAI'] },
  { version: '7', ai: ai7 as unknown as Sdk['ai'], createOpenAI: openAi7.createOpenAI as unknown as Sdk['createOpenAI'] },
]

/** With a space that the AI SDK does not send back. */
const addCall = { name: 'add', arguments: '{"a": 2,"b":2}' }

function chatEndpoint() {
  return createModelEndpoint(({ body }) =>
    body.messages.some(({ role }) => role === 'tool') ? { pieces: ['it is ', '4'] } : { pieces: ['hm'], toolCall: addCall },
  )
}

function responsesEndpoint() {
  return createResponsesEndpoint(({ input }) =>
    objectsOf(input).some(({ type }) => type === 'function_call_output')
      ? { pieces: ['it is ', '4'] }
      : { pieces: ['hm'], toolCalls: [addCall] },
  )
}

type Way = 'generate' | 'stream'
type ModelOf = (agent: AgentTracing, recorded: typeof fetch, plain: typeof fetch) => Exclude<ai5.LanguageModel, string>

const settings = { baseURL: 'https://models.test/v1', apiKey: 'none' }

describe.each(sdks)('version $version', ({ ai, createOpenAI }) => {
  const { generateText, jsonSchema, stepCountIs, streamText, tool, wrapLanguageModel } = ai
  const add = tool({
    description: 'Adds',
    inputSchema: jsonSchema<{ a: number; b: number }>({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }),
    execute: async ({ a, b }) => String(a + b),
  })

  const chat: ModelOf = (_agent, recorded) => createOpenAI({ ...settings, fetch: recorded }).chat('solver')
  const responses: ModelOf = (_agent, recorded) => createOpenAI({ ...settings, fetch: recorded }).responses('solver')
  const withMiddleware =
    (toModel: ModelOf, sees: 'fetch too' | 'middleware alone'): ModelOf =>
    (agent, recorded, plain) =>
      wrapLanguageModel({
        model: toModel(agent, sees === 'fetch too' ? recorded : plain, plain) as Parameters<typeof wrapLanguageModel>[0]['model'],
        middleware: agent.aiSdkMiddleware,
      })

  async function runToolLoop(toModel: ModelOf, endpoint: { fetch: typeof fetch }, way: Way): Promise<RecordedTrajectory> {
    const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: 'solver' })
    const options = { system: 'Be brief.', prompt: '2+2?', tools: { add }, stopWhen: stepCountIs(3) }
    const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      const model = toModel(agent, agent.fetch, endpoint.fetch)
      const text = way === 'stream' ? await streamText({ ...options, model }).text : (await generateText({ ...options, model })).text
      trajectory.reward(text === 'it is 4' ? 1 : 0)
    })
    return trajectories[0]!
  }

  /** In streams of chat completions, the AI SDK passes on the log-probabilities of the last chunk alone. */
  const streamsWithout = 'chat completions by middleware alone'
  const sources: [string, ModelOf, () => { fetch: typeof fetch; requests: unknown[] }][] = [
    ['chat completions by fetch', chat, chatEndpoint],
    ['the Responses API by fetch', responses, responsesEndpoint],
    [streamsWithout, withMiddleware(chat, 'middleware alone'), chatEndpoint],
    ['the Responses API by middleware alone', withMiddleware(responses, 'middleware alone'), responsesEndpoint],
    ['chat completions by middleware and fetch', withMiddleware(chat, 'fetch too'), chatEndpoint],
    ['the Responses API by middleware and fetch', withMiddleware(responses, 'fetch too'), responsesEndpoint],
  ]

  describe.each(sources)('a tool loop of the AI SDK over %s', (name, toModel, createEndpoint) => {
    test.each<Way>(['generate', 'stream'])('(%s) is one history with the log-probabilities that there are', async (way) => {
      const endpoint = createEndpoint()
      const lacksLogprobs = name === streamsWithout && way === 'stream'
      const recorded = await runToolLoop(toModel, endpoint, way)
      expect(endpoint.requests).toHaveLength(2)
      const callId = objectsOf(recorded.messages_and_choices.map((element) => element['message']))
        .flatMap(({ tool_calls: calls }) => objectsOf(calls))
        .map(({ id }) => id)[0]
      expect(recorded).toMatchObject({
        reward: 1,
        additional_histories: [],
        tools: [{ type: 'function', function: { name: 'add', description: 'Adds' } }],
        metrics: {},
        messages_and_choices: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user' },
          { finish_reason: 'tool_calls', message: { content: 'hm', tool_calls: [{ id: callId, type: 'function', function: addCall }] } },
          { role: 'tool', tool_call_id: callId, content: '4' },
          {
            finish_reason: 'stop',
            message: { content: 'it is 4' },
            logprobs: lacksLogprobs ? null : { content: [{ logprob: -0.5 }, { logprob: -0.5 }] },
          },
        ],
      })
      expect(logprobsOf(recorded)).toBe(lacksLogprobs ? 'none' : 'complete')
    })
  })

  test('messages of the AI SDK are recorded byte for byte, with images, by the middleware as by fetch', async () => {
    const image = new Uint8Array([137, 80, 78, 71])
    const texts = 'né\u2028 "quoted" \\ 𝕏\n'
    const recordedBy = async (toModel: ModelOf) => {
      const endpoint = createModelEndpoint(() => ({ pieces: [texts] }))
      const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch })
      const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
        const content = [
          { type: 'text' as const, text: texts },
          { type: 'image' as const, image, mediaType: 'image/png' },
        ]
        await generateText({ model: toModel(agent, agent.fetch, endpoint.fetch), messages: [{ role: 'user', content }] })
        trajectory.reward(1)
      })
      return { sent: endpoint.requests[0]?.body.messages, recorded: trajectories[0]?.messages_and_choices }
    }
    for (const toModel of [chat, withMiddleware(chat, 'middleware alone')]) {
      const { sent, recorded } = await recordedBy(toModel)
      expect(recorded?.slice(0, -1)).toEqual(sent)
      expect(recorded?.at(-1)).toMatchObject({ message: { content: texts } })
    }
  })

  test('the middleware records a model whose API has no form as a chat completion, and counts nothing as unrecorded', async () => {
    const reply = { model: 'other', choices: [{ text: 'hi', index: 0, finish_reason: 'stop', logprobs: null }] }
    const inner: typeof fetch = async () => Response.json(reply)
    const agent = createAgentTracing({ environment: {}, fetch: inner })
    const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      const model = createOpenAI({ ...settings, fetch: agent.fetch }).completion('other')
      await generateText({ model: wrapLanguageModel({ model, middleware: agent.aiSdkMiddleware }), prompt: 'hello' })
      trajectory.reward(1)
    })
    expect(trajectories).toMatchObject([{ metrics: {}, messages_and_choices: [{ content: 'hello' }, { message: { content: 'hi' } }] }])
  })

  test('a call that fails is counted once, and reaches the program', async () => {
    const failing: typeof fetch = async () => Response.json({ error: { message: 'no such model' } }, { status: 404 })
    const agent = createAgentTracing({ environment: {}, fetch: failing })
    for (const sees of ['fetch too', 'middleware alone'] as const) {
      const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
        const model = withMiddleware(chat, sees)(agent, agent.fetch, failing)
        await expect(generateText({ model, prompt: 'hello', maxRetries: 0 })).rejects.toThrow('no such model')
        trajectory.reward(0)
      })
      expect(trajectories).toMatchObject([{ messages_and_choices: [], metrics: { failed_model_calls: 1 } }])
    }
  })

  test.each<Way>(['generate', 'stream'])('(%s) the middleware names the step of the weights that responded', async (way) => {
    const inner = createModelEndpoint(() => ({ pieces: ['hi'] }), { 'x-model-step': '7' }).fetch
    const agent = createAgentTracing({ environment: {}, fetch: inner })
    const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      const model = withMiddleware(chat, 'middleware alone')(agent, agent.fetch, inner)
      if (way === 'stream') await streamText({ model, prompt: 'hello' }).text
      else await generateText({ model, prompt: 'hello' })
      trajectory.reward(1)
    })
    expect(trajectories).toMatchObject([{ initial_policy_version: 7, final_policy_version: 7, metrics: {} }])
  })

  describe('a model of a version that is not known', () => {
    const endpoint = createModelEndpoint(() => ({ pieces: ['hi'] }))
    const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch })
    const later = Object.defineProperty(chat(agent, endpoint.fetch, endpoint.fetch), 'specificationVersion', { value: 'v9' })
    const refusal =
      'the model "solver" has version "v9" of the interface between the AI SDK and providers; aiSdkMiddleware records v2, v3, v4'

    const { aiSdkMiddleware: middleware } = agent

    test('is refused by name when it is wrapped', () => {
      expect(() => middleware.overrideModelId({ model: later })).toThrow(refusal)
      expect(() => wrapLanguageModel({ model: later, middleware })).toThrow(refusal)
    })

    test('is refused when it is called, where nothing asked for its id before', async () => {
      const call = { params: { prompt: [] }, model: later, doGenerate: async () => ({ content: [], finishReason: 'stop' }) }
      await expect(middleware.wrapGenerate(call)).rejects.toThrow(refusal)
      const model = wrapLanguageModel({ model: later, middleware, modelId: 'named' })
      await expect(generateText({ model, prompt: 'hello', maxRetries: 0 })).rejects.toThrow(refusal)
      await agent.group({ attempts: 1 }).run(async (trajectory) => {
        await expect(generateText({ model, prompt: 'hello', maxRetries: 0 })).rejects.toThrow(refusal)
        trajectory.reward(0)
      })
      expect(endpoint.requests).toEqual([])
    })
  })
})
