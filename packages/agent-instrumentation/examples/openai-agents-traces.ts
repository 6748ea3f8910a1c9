/** A tool-using agent of the OpenAI Agents SDK, recorded by its traces: spans of agents, tools and handoffs too. */
import { createAgentTracing } from '@heddle/agent-instrumentation'
import { Agent, Runner, setTraceProcessors, tool } from '@openai/agents'
import { z } from 'zod'

const model = 'gpt-4.1-mini'
const agent = createAgentTracing({ project: 'local/default', policy: model, model: { name: 'adder', baseModel: 'heddle-nano' } })
setTraceProcessors([agent.openAiAgentsProcessor])
const runner = new Runner()
const add = tool({
  name: 'add',
  description: 'Adds',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => String(a + b),
})
const modelSettings = { providerData: { include: ['message.output_text.logprobs'] } }
const solver = new Agent({ name: 'Solver', instructions: 'Be brief.', model, modelSettings, tools: [add] })

const group = await agent.group({ attempts: 4, metadata: { scenario_id: '2+2' } }).run(async (trajectory) => {
  const { finalOutput } = await runner.run(solver, '2 + 2?')
  trajectory.reward(finalOutput?.includes('4') ? 1 : 0, { source: 'unit-test' })
})

console.log(agent.dryRun([group]).warnings)
await agent.log('train', [group])
