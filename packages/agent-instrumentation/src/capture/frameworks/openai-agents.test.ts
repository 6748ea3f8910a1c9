import { Agent, handoff, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents'
import OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentTracing, createAgentTracing } from '../../agent.ts'
import { createModelEndpoint } from '../../testing/model-endpoint.ts'
import { expectToolLoop, toolLoop, toolLoopByChat, toolLoopByResponses } from '../../testing/tool-loop.ts'

setTracingDisabled(true)

function createRunner(agent: AgentTracing, useResponses: boolean): Runner {
  const openAIClient = agent.wrapOpenAI(new OpenAI({ baseURL: 'https://models.test/v1', apiKey: 'none' }))
  return new Runner({ modelProvider: new OpenAIProvider({ openAIClient, useResponses }), tracingDisabled: true })
}

const add = tool({
  name: toolLoop.tool.name,
  description: toolLoop.tool.description,
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
})

describe.each(['chat completions', 'the Responses API'])('the OpenAI Agents SDK over %s', (name) => {
  const useResponses = name === 'the Responses API'

  test.each([false, true])('a tool loop (stream: %s) is one history, as it was sent and sampled', async (stream) => {
    // In chat completions the SDK sends a text and its tool call back as two messages.
    const says = { textBeforeCall: useResponses }
    const endpoint = useResponses ? toolLoopByResponses() : toolLoopByChat(says)
    const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: 'solver' })
    const runner = createRunner(agent, useResponses)
    const solver = new Agent({ name: 'Solver', instructions: toolLoop.system, model: 'solver', tools: [add] })
    const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      if (stream) {
        const result = await runner.run(solver, toolLoop.question, { stream: true })
        await result.completed
        expect(result.finalOutput).toBe(toolLoop.response)
      } else expect((await runner.run(solver, toolLoop.question)).finalOutput).toBe(toolLoop.response)
      trajectory.reward(1)
    })
    expectToolLoop(trajectories[0], says)
    expect(endpoint.requests).toHaveLength(2)
  })
})

test('a handoff of the OpenAI Agents SDK is a history of its own, in the trajectory that made it', async () => {
  const endpoint = createModelEndpoint(({ body }) =>
    body.messages[0]?.['content'] === 'You sort.'
      ? { pieces: [], toolCall: { name: 'transfer_to_Helper', arguments: '{}' } }
      : { pieces: [`helped ${String(body.messages.find(({ role }) => role === 'user')?.['content'])}`] },
  )
  const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: 'solver' })
  const runner = createRunner(agent, false)
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
