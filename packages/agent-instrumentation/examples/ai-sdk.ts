/** A tool-using agent of the Vercel AI SDK. */
import { createOpenAI } from '@ai-sdk/openai'
import { createAgentTracing } from '@heddle/agent-instrumentation'
import { generateText, jsonSchema, stepCountIs, tool } from 'ai'

const model = 'gpt-4.1-mini'
const agent = createAgentTracing({ project: 'local/default', policy: model, model: { name: 'adder', baseModel: 'heddle-nano' } })
const provider = createOpenAI({ fetch: agent.fetch })
const add = tool({
  description: 'Adds',
  inputSchema: jsonSchema<{ a: number; b: number }>({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }),
  execute: async ({ a, b }) => String(a + b),
})

const group = await agent.group({ attempts: 4, metadata: { scenario_id: '2+2' } }).run(async (trajectory) => {
  const { text } = await generateText({ model: provider.chat(model), prompt: '2 + 2?', tools: { add }, stopWhen: stepCountIs(5) })
  trajectory.reward(text.includes('4') ? 1 : 0, { source: 'unit-test' })
})

console.log(agent.dryRun([group]).warnings)
await agent.log('train', [group])
