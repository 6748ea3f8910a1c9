/** An agent over the Responses API of any endpoint, with a tool. Each request refers to the response before. */
import { createAgentTracing } from '@heddle/agent-instrumentation'
import OpenAI from 'openai'

const model = 'gpt-4.1-mini'
const agent = createAgentTracing({ project: 'local/default', policy: model, model: { name: 'adder', baseModel: 'heddle-nano' } })
const client = agent.wrapOpenAI(new OpenAI())
const parameters = { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] }
const tools: OpenAI.Responses.FunctionTool[] = [{ type: 'function', name: 'add', description: 'Adds', parameters, strict: false }]

const group = await agent.group({ attempts: 4, metadata: { scenario_id: '2+2' } }).run(async (trajectory) => {
  let response = await client.responses.create({ model, tools, input: '2 + 2?' })
  for (let turn = 0; turn < 5; turn++) {
    const calls = response.output.filter((item) => item.type === 'function_call')
    if (calls.length === 0) break
    const input = calls.map(({ call_id, arguments: text }) => {
      const { a, b } = JSON.parse(text) as { a: number; b: number }
      return { type: 'function_call_output' as const, call_id, output: String(a + b) }
    })
    response = await client.responses.create({ model, tools, input, previous_response_id: response.id })
  }
  trajectory.reward(response.output_text.includes('4') ? 1 : 0, { source: 'unit-test' })
})

console.log(agent.dryRun([group]).warnings)
await agent.log('train', [group])
