/** A tool-using graph of LangGraph, recorded by callbacks, which know its nodes and any provider. */
import { createAgentTracing } from '@heddle/agent-instrumentation'
import { HumanMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { MessagesAnnotation, StateGraph } from '@langchain/langgraph'
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { z } from 'zod'

const name = 'gpt-4.1-mini'
const agent = createAgentTracing({ project: 'local/default', policy: name, model: { name: 'adder', baseModel: 'heddle-nano' } })
const add = tool(({ a, b }) => String(a + b), { name: 'add', description: 'Adds', schema: z.object({ a: z.number(), b: z.number() }) })
const model = new ChatOpenAI({ model: name, logprobs: true }).bindTools([add])
const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
  .addNode('tools', new ToolNode([add]))
  .addEdge('__start__', 'model')
  .addConditionalEdges('model', toolsCondition)
  .addEdge('tools', 'model')
  .compile()

const group = await agent.group({ attempts: 4, metadata: { scenario_id: '2+2' } }).run(async (trajectory) => {
  const { messages } = await graph.invoke({ messages: [new HumanMessage('2 + 2?')] }, { callbacks: [agent.langChainHandler] })
  trajectory.reward(messages.at(-1)?.text.includes('4') ? 1 : 0, { source: 'unit-test' })
})

console.log(agent.dryRun([group]).warnings)
await agent.log('train', [group])
