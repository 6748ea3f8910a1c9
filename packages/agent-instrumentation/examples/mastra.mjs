/** A tool-using agent of Mastra. Mastra is installed by you: `npm install @mastra/core@0.24.8 @ai-sdk/openai@2 ai@5 zod@3`. */
import { createOpenAI } from '@ai-sdk/openai'
import { createAgentTracing } from '@heddle/agent-instrumentation'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'

const model = 'gpt-4.1-mini'
const agent = createAgentTracing({ project: 'local/default', policy: model, model: { name: 'adder', baseModel: 'heddle-nano' } })
const provider = createOpenAI({ fetch: agent.fetch })
const add = createTool({
  id: 'add',
  description: 'Adds',
  inputSchema: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ context: { a, b } }) => String(a + b),
})
const solver = new Agent({ name: 'solver', instructions: 'Be brief.', model: provider.chat(model), tools: { add } })

const group = await agent.group({ attempts: 4, metadata: { scenario_id: '2+2' } }).run(async (trajectory) => {
  const { text } = await solver.generate('2 + 2?')
  trajectory.reward(text.includes('4') ? 1 : 0, { source: 'unit-test' })
})

console.log(agent.dryRun([group]).warnings)
await agent.log('train', [group])
