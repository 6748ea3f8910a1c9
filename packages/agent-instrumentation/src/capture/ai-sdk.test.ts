import { createOpenAI } from '@ai-sdk/openai'
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai'
import { expect, test } from 'vitest'
import { createAgentTracing } from '../agent.ts'
import { createModelEndpoint } from '../testing/model-endpoint.ts'

const add = tool({
  description: 'Adds',
  inputSchema: jsonSchema<{ a: number; b: number }>({ type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } }),
  execute: async ({ a, b }) => String(a + b),
})

test.each(['generate', 'stream'])('tool loops of the AI SDK (%s) are one history with their log-probabilities', async (way) => {
  const endpoint = createModelEndpoint(({ body }) =>
    body.messages.some(({ role }) => role === 'tool')
      ? { pieces: ['it is ', '4'] }
      : { pieces: [], toolCall: { name: 'add', arguments: '{"a":2,"b":2}' } },
  )
  const agent = createAgentTracing({ environment: {}, fetch: endpoint.fetch, policy: 'solver' })
  const provider = createOpenAI({ baseURL: 'http://127.0.0.1:7400/v1', apiKey: 'none', fetch: agent.fetch })
  const options = { model: provider.chat('solver'), prompt: '2+2?', tools: { add }, stopWhen: stepCountIs(3) }
  const { trajectories } = await agent.group({ attempts: 1 }).run(async (trajectory) => {
    const text = way === 'stream' ? await streamText(options).text : (await generateText(options)).text
    trajectory.reward(text === 'it is 4' ? 1 : 0)
  })
  expect(trajectories).toMatchObject([
    {
      reward: 1,
      additional_histories: [],
      messages_and_choices: [
        { role: 'user' },
        { finish_reason: 'tool_calls', message: { tool_calls: [{ function: { name: 'add' } }] } },
        { role: 'tool', tool_call_id: 'call-1' },
        { finish_reason: 'stop', message: { content: 'it is 4' }, logprobs: { content: [{ logprob: -0.5 }, { logprob: -0.5 }] } },
      ],
    },
  ])
})
