import { Agent, handoff, OpenAIProvider, Runner, setTraceProcessors, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentTracing, createAgentTracing } from '../../agent.ts'
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

interface Source {
  /** Whether the client of the SDK is wrapped. */
  client: boolean
  /** Whether the SDK traces to the processor. */
  processor: boolean
}

const sources: [string, Source][] = [
  ['the wrapped client', { client: true, processor: false }],
  ['the trace processor', { client: false, processor: true }],
  ['the wrapped client and the trace processor', { client: true, processor: true }],
]

afterEach(() => {
  setTraceProcessors([])
  setTracingDisabled(true)
})

interface RunnerOptions {
  fetch: typeof fetch
  source: Source
  useResponses?: boolean
}

function createRunner(agent: AgentTracing, { fetch, source, useResponses = false }: RunnerOptions): Runner {
  const client = new OpenAI({ baseURL: 'https://models.test/v1', apiKey: 'none', fetch })
  if (source.processor) setTraceProcessors([agent.openAiAgentsProcessor])
  setTracingDisabled(!source.processor)
  const modelProvider = new OpenAIProvider({ openAIClient: source.client ? agent.wrapOpenAI(client) : client, useResponses })
  return new Runner({ modelProvider, tracingDisabled: !source.processor })
}

const add = tool({
  name: toolLoop.tool.name,
  description: toolLoop.tool.description,
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
})

/** The wrapped client's own requests. */
const modelSettings = { providerData: { logprobs: true } }

describe.each(sources)('the OpenAI Agents SDK, recorded by %s', (_name, source) => {
  test.each([
    ['chat completions', 'whole'],
    ['chat completions', 'streamed'],
    ['the Responses API', 'whole'],
    ['the Responses API', 'streamed'],
  ])('a tool loop over %s (%s) is one history, as it was sent and sampled', async (api, way) => {
    const useResponses = api === 'the Responses API'
    // In chat completions the SDK sends a text and its tool call back as two messages.
    const says = { textBeforeCall: useResponses }
    const endpoint = useResponses ? toolLoopByResponses() : toolLoopByChat(says)
    const agent = createAgentTracing({ environment: {}, policy: 'solver' })
    const runner = createRunner(agent, { fetch: withLogprobs(endpoint.fetch), source, useResponses })
    const solver = new Agent({ name: 'Solver', instructions: toolLoop.system, model: 'solver', tools: [add], modelSettings })
    const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      if (way === 'streamed') {
        const result = await runner.run(solver, toolLoop.question, { stream: true })
        await result.completed
        expect(result.finalOutput).toBe(toolLoop.response)
      } else expect((await runner.run(solver, toolLoop.question)).finalOutput).toBe(toolLoop.response)
      trajectory.reward(1)
    })
    const sees = { ...says, ...(source.client || useResponses ? {} : { toolDefinitions: false, logprobs: way === 'whole' }) }
    expectToolLoop(trajectories[0], sees)
    expect(trajectories[0]?.logs.some((line) => line.includes('by name alone'))).toBe('toolDefinitions' in sees)
    if (!useResponses) expectContextsAsSent(trajectories[0], endpoint.requests)
    expect(endpoint.requests).toHaveLength(2)
  })
})

test.each(sources)('a handoff, recorded by %s, is a history of its own in the trajectory that made it', async (_name, source) => {
  const endpoint = createModelEndpoint(({ body }) =>
    body.messages[0]?.['content'] === 'You sort.'
      ? { pieces: [], toolCall: { name: 'transfer_to_Helper', arguments: '{}' } }
      : { pieces: [`helped ${String(body.messages.find(({ role }) => role === 'user')?.['content'])}`] },
  )
  const agent = createAgentTracing({ environment: {}, policy: 'solver' })
  const runner = createRunner(agent, { fetch: endpoint.fetch, source })
  const helper = new Agent({ name: 'Helper', instructions: 'You help.', model: 'solver' })
  const sorter = new Agent({ name: 'Sorter', instructions: 'You sort.', model: 'solver', handoffs: [handoff(helper)] })
  const { trajectories } = await agent.group({ attempts: 3 }).run(async (trajectory) => {
    const { finalOutput } = await runner.run(sorter, `task ${trajectory.attemptIndex}`)
    expect(finalOutput).toBe(`helped task ${trajectory.attemptIndex}`)
    trajectory.reward(trajectory.attemptIndex)
  })
  for (const [attempt, recorded] of trajectories.entries()) {
    expect(recorded.messages_and_choices).toMatchObject([
      { content: 'You sort.' },
      { role: 'user', content: `task ${attempt}` },
      { finish_reason: 'tool_calls', message: { tool_calls: [{ function: { name: 'transfer_to_Helper' } }] } },
    ])
    const [helped, ...others] = recorded.additional_histories
    expect(others).toEqual([])
    expect(helped?.messages_and_choices[0]).toMatchObject({ content: 'You help.' })
    expect(helped?.messages_and_choices.at(-1)).toMatchObject({ finish_reason: 'stop', message: { content: `helped task ${attempt}` } })
  }
})

test('the trace processor makes spans of agents, tools and handoffs below that of the attempt', async () => {
  const endpoint = toolLoopByChat({ textBeforeCall: false })
  const agent = createAgentTracing({ environment: {}, policy: 'solver' })
  const runner = createRunner(agent, { fetch: endpoint.fetch, source: { client: false, processor: true } })
  const solver = new Agent({ name: 'Solver', instructions: toolLoop.system, model: 'solver', tools: [add] })
  const { spans } = await recordSpans(() =>
    agent.group({ attempts: 1 }).run(async (trajectory) => {
      await runner.run(solver, toolLoop.question)
      trajectory.reward(1)
    }),
  )
  const paths = spans.map((span) => pathOfSpan(span, spans))
  expect(new Set(spans.map(({ attributes }) => attributes['heddle.trajectory_id'])).size).toBe(1)
  expect(paths.filter((path) => /^trajectory > .*invoke_agent Solver > .*chat solver$/.test(path))).toHaveLength(2)
  expect(paths.filter((path) => /^trajectory > .*invoke_agent Solver > .*execute_tool add$/.test(path))).toHaveLength(1)
  expect(spans.find(({ name }) => name === 'execute_tool add')?.attributes).toMatchObject({ 'gen_ai.tool.call.result': '4' })
})

test.each(sources)('a call that fails, recorded by %s, is counted once and reaches the program', async (_name, source) => {
  const failing: typeof fetch = async () => Response.json({ error: { message: 'no such model' } }, { status: 404 })
  const agent = createAgentTracing({ environment: {}, policy: 'solver' })
  const runner = createRunner(agent, { fetch: failing, source })
  const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    await expect(runner.run(new Agent({ name: 'Solver', model: 'solver' }), 'hello')).rejects.toThrow('no such model')
    trajectory.reward(0)
  })
  expect(trajectories).toMatchObject([{ messages_and_choices: [], metrics: { failed_model_calls: 1 } }])
})
