import { type AIMessageChunk, HumanMessage, SystemMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type AgentTracing, createAgentTracing } from '../../agent.ts'
import { isChoice, messageOf } from '@heddle/core-api/histories'
import { createModelEndpoint } from '../../testing/model-endpoint.ts'
import { expectToolLoop, toolLoop, toolLoopByChat, toolLoopByResponses } from '../../testing/tool-loop.ts'

function createModel(agent: AgentTracing, settings: { useResponsesApi?: boolean } = {}): ChatOpenAI {
  return new ChatOpenAI({
    model: 'solver',
    apiKey: 'none',
    configuration: { baseURL: 'https://models.test/v1', fetch: agent.fetch },
    ...settings,
  })
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

describe.each([false, true])('a graph of LangGraph with a model of LangChain (Responses API: %s)', (useResponsesApi) => {
  test.each([false, true])('a tool loop (stream: %s) is one history, as it was sent and sampled', async (stream) => {
    const endpoint = useResponsesApi ? toolLoopByResponses() : toolLoopByChat()
    const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: 'solver' })
    const model = createModel(agent, { useResponsesApi }).bindTools([add])
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('model', async ({ messages }) => ({
        messages: [stream ? await gather(await model.stream(messages)) : await model.invoke(messages)],
      }))
      .addNode('tools', new ToolNode([add]))
      .addEdge('__start__', 'model')
      .addConditionalEdges('model', toolsCondition)
      .addEdge('tools', 'model')
      .compile()
    const { trajectories, exceptions } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
      const { messages } = await graph.invoke({ messages: [new SystemMessage(toolLoop.system), new HumanMessage(toolLoop.question)] })
      expect(messages.at(-1)?.text).toBe(toolLoop.response)
      trajectory.reward(1)
    })
    expect(exceptions).toEqual([])
    expectToolLoop(trajectories[0])
    expect(endpoint.requests).toHaveLength(2)
  })
})

test('branches of a graph that run at once are a history each, in the trajectory that ran them', async () => {
  const endpoint = createModelEndpoint(({ body }) => ({ pieces: [`re: ${String(body.messages.at(-1)?.['content'])}`] }))
  const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: 'solver' })
  const model = createModel(agent)
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
