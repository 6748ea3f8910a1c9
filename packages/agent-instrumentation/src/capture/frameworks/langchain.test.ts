import { AIMessage, type AIMessageChunk, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createAgentTracing } from '../../agent.ts'
import { isChoice, messageOf } from '@heddle/core-api/histories'
import { createModelEndpoint } from '../../testing/model-endpoint.ts'
import { pathOfSpan, recordSpans } from '../../testing/record-spans.ts'
import {
  expectContextsAsSent,
  expectToolLoop,
  toolLoop,
  toolLoopByChat,
  toolLoopByResponses,
  withLogprobs,
} from '../../testing/tool-loop.ts'
import { logprobsOf } from '../../trajectory/find-logprobs.ts'

interface ModelSettings {
  useResponsesApi?: boolean
  logprobs?: boolean
  __includeRawResponse?: boolean
}

function createModel(fetch: typeof globalThis.fetch, settings: ModelSettings = {}): ChatOpenAI {
  return new ChatOpenAI({ model: 'solver', apiKey: 'none', configuration: { baseURL: 'https://models.test/v1', fetch }, ...settings })
}

async function gather(chunks: AsyncIterable<AIMessageChunk>): Promise<AIMessageChunk> {
  let all: AIMessageChunk | undefined
  for await (const chunk of chunks) all = all ? all.concat(chunk) : chunk
  if (!all) throw new Error('the stream was empty')
  return all
}

const add = tool(({ a, b }) => String(a + b), {
  name: toolLoop.tool.name,
  description: toolLoop.tool.description,
  schema: z.object({ a: z.number(), b: z.number() }),
})

function createGraph(chat: ChatOpenAI, stream: boolean) {
  const model = chat.bindTools([add])
  return new StateGraph(MessagesAnnotation)
    .addNode('model', async ({ messages }) => ({
      messages: [stream ? await gather(await model.stream(messages)) : await model.invoke(messages)],
    }))
    .addNode('tools', new ToolNode([add]))
    .addEdge('__start__', 'model')
    .addConditionalEdges('model', toolsCondition)
    .addEdge('tools', 'model')
    .compile()
}

const input = { messages: [new SystemMessage(toolLoop.system), new HumanMessage(toolLoop.question)] }

/** By what the calls are recorded: what the model is given as `fetch`, its settings, and whether the graph is given the handler. */
const sources: [string, { fetch: boolean; handler: boolean; raw?: boolean }][] = [
  ['fetch', { fetch: true, handler: false }],
  ['the handler', { fetch: false, handler: true }],
  ['the handler, with raw responses', { fetch: false, handler: true, raw: true }],
  ['fetch and the handler', { fetch: true, handler: true }],
]

describe.each(sources)('a graph of LangGraph with a model of LangChain, recorded by %s', (_name, source) => {
  test.each([
    ['chat completions', 'whole'],
    ['chat completions', 'streamed'],
    ['the Responses API', 'whole'],
    ['the Responses API', 'streamed'],
  ])('a tool loop over %s (%s) is one history, as it was sent and sampled', async (api, way) => {
    const useResponsesApi = api === 'the Responses API'
    const endpoint = useResponsesApi ? toolLoopByResponses() : toolLoopByChat()
    const agent = createAgentTracing({ environment: {}, fetch: withLogprobs(endpoint.fetch), policy: 'solver' })
    const settings = { useResponsesApi, logprobs: true, ...(source.raw === true && { __includeRawResponse: true }) }
    const graph = createGraph(createModel(source.fetch ? agent.fetch : withLogprobs(endpoint.fetch), settings), way === 'streamed')
    const callbacks = source.handler ? [agent.langChainHandler] : []
    const { trajectories, exceptions } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      const { messages } = await graph.invoke(input, { callbacks })
      expect(messages.at(-1)?.text).toBe(toolLoop.response)
      trajectory.reward(1)
    })
    expect(exceptions).toEqual([])
    expectToolLoop(trajectories[0])
    if (!useResponsesApi) expectContextsAsSent(trajectories[0], endpoint.requests)
    expect(endpoint.requests).toHaveLength(2)
  })
})

test('branches of a graph that run at once are a history each, in the trajectory that ran them', async () => {
  const endpoint = createModelEndpoint(({ body }) => ({ pieces: [`re: ${String(body.messages.at(-1)?.['content'])}`] }))
  const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: 'solver' })
  const model = createModel(agent.fetch)
  const branch =
    (name: string) =>
    async ({ messages }: typeof MessagesAnnotation.State) => ({
      messages: [await model.invoke([new HumanMessage(`${name} ${String(messages[0]?.content)}`)])],
    })
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('left', branch('left'))
    .addNode('right', branch('right'))
    .addEdge('__start__', 'left')
    .addEdge('__start__', 'right')
    .compile()
  const { trajectories } = await agent.group({ attempts: 4 }).run(async (trajectory) => {
    await graph.invoke({ messages: [new HumanMessage(`of ${trajectory.attemptIndex}`)] })
    trajectory.reward(0)
  })
  for (const [attempt, recorded] of trajectories.entries()) {
    const said = [recorded, ...recorded.additional_histories].map(({ messages_and_choices: all }) =>
      all.map((element) => [isChoice(element), messageOf(element)['content']]),
    )
    const expected = ['left', 'right'].map((name) => [
      [false, `${name} of ${attempt}`],
      [true, `re: ${name} of ${attempt}`],
    ])
    expect(said).toHaveLength(2)
    expect(said).toEqual(expect.arrayContaining(expected))
  }
})

test('the handler records attempts that run at once each for itself, and nothing outside of them', async () => {
  const endpoint = createModelEndpoint(({ body }) => ({ pieces: [`re: ${String(body.messages.at(-1)?.['content'])}`] }))
  const agent = createAgentTracing({ environment: {}, policy: 'solver' })
  const model = createModel(endpoint.fetch, { logprobs: true })
  const callbacks = [agent.langChainHandler]
  await model.invoke('outside', { callbacks })
  const { trajectories } = await agent.group({ attempts: 4 }).run(async (trajectory) => {
    await model.batch(
      ['a', 'b'].map((name) => [new HumanMessage(`${name}${trajectory.attemptIndex}`)]),
      { callbacks },
    )
    trajectory.reward(0)
  })
  for (const [attempt, recorded] of trajectories.entries()) {
    const said = [recorded, ...recorded.additional_histories].map(({ messages_and_choices: all }) =>
      all.map((one) => messageOf(one)['content']),
    )
    expect(said.toSorted()).toEqual(['a', 'b'].map((name) => [`${name}${attempt}`, `re: ${name}${attempt}`]))
    expect(logprobsOf(recorded)).toBe('complete')
  }
})

test.each([false, true])('a call that fails is counted once, and reaches the program (fetch records too: %s)', async (both) => {
  const failing: typeof fetch = async () => Response.json({ error: { message: 'no such model' } }, { status: 404 })
  const agent = createAgentTracing({ environment: {}, fetch: failing, policy: 'solver' })
  const model = createModel(both ? agent.fetch : failing)
  const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    await expect(model.invoke('hello', { callbacks: [agent.langChainHandler] })).rejects.toThrow('no such model')
    trajectory.reward(0)
  })
  expect(trajectories).toMatchObject([{ messages_and_choices: [], metrics: { failed_model_calls: 1 } }])
})

test('a message that has no form in a chat completion is counted, not guessed', async () => {
  const endpoint = createModelEndpoint(() => ({ pieces: ['seen'] }))
  const agent = createAgentTracing({ environment: {}, policy: 'solver' })
  const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    const message = new HumanMessage({ content: [{ type: 'video_of_a_cat', video: 'x' }] })
    await createModel(endpoint.fetch).invoke([message], { callbacks: [agent.langChainHandler] })
    trajectory.reward(0)
  })
  expect(trajectories).toMatchObject([{ messages_and_choices: [], metrics: { unrecorded_model_calls: 1 } }])
  expect(trajectories[0]?.logs.join()).toContain('video_of_a_cat')
})

test('messages and results that cannot be written as JSON do not reach the program', async () => {
  const endless: Record<string, unknown> = {}
  endless['self'] = endless
  const endpoint = createModelEndpoint(() => ({ pieces: ['seen'] }))
  const agent = createAgentTracing({ environment: {}, policy: 'solver' })
  const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    const model = createModel(endpoint.fetch)
    const question = new AIMessage({ content: '', tool_calls: [{ id: 'c', name: 'f', args: endless }] })
    await expect(model.invoke([question], { callbacks: [agent.langChainHandler] })).rejects.toThrow('circular')
    agent.langChainHandler.handleToolStart({ name: 'f' }, '', 'run-1')
    agent.langChainHandler.handleToolEnd(endless, 'run-1')
    trajectory.reward(0)
  })
  expect(trajectories).toMatchObject([{ metrics: { failed_model_calls: 1 } }])
})

test('the handler makes spans of nodes and tools below that of the attempt, and names the thread', async () => {
  const agent = createAgentTracing({ environment: {}, policy: 'solver' })
  const graph = createGraph(createModel(toolLoopByChat().fetch), false)
  const { result, spans } = await recordSpans(() =>
    agent.group({ attempts: 1 }).run(async (trajectory) => {
      await graph.invoke(input, { callbacks: [agent.langChainHandler], configurable: { thread_id: 'thread-7' } })
      trajectory.reward(1)
    }),
  )
  const paths = spans.map((span) => pathOfSpan(span, spans)).toSorted()
  expect(new Set(spans.map(({ attributes }) => attributes['heddle.trajectory_id'])).size).toBe(1)
  expect(paths.filter((path) => / (chat|execute_tool) /.test(path))).toEqual([
    'trajectory > LangGraph > model > chat solver',
    'trajectory > LangGraph > model > chat solver',
    'trajectory > LangGraph > tools > execute_tool add',
  ])
  const tool = spans.find(({ name }) => name === 'execute_tool add')
  expect(tool?.attributes).toMatchObject({ 'gen_ai.tool.name': 'add', 'gen_ai.tool.call.result': '4' })
  expect(result.trajectories[0]?.metadata['thread_id']).toBe('thread-7')
})
