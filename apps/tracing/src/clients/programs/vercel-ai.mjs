import { createOpenAI } from '@ai-sdk/openai'
import { embed, generateText, stepCountIs, streamText, tool } from 'ai'
import { z } from 'zod'
import { startTracing } from './start-tracing.mjs'

const provider = startTracing()
const openai = createOpenAI()
const telemetry = (functionId) => ({
  experimental_telemetry: { isEnabled: true, functionId, metadata: { sessionId: 'session-1', plan: 'free' } },
})

const weather = tool({
  description: 'Weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, sky: 'sunny' }),
})

await generateText({
  model: openai.chat('test-model'),
  system: 'Be brief.',
  prompt: 'How is the weather in Oslo?',
  tools: { weather },
  stopWhen: stepCountIs(3),
  temperature: 0.5,
  ...telemetry('ask'),
})

const stream = streamText({ model: openai.chat('test-model'), prompt: 'Tell me more.', ...telemetry('tell') })
for await (const _ of stream.textStream);

await embed({ model: openai.textEmbeddingModel('test-embedding'), value: 'sunny day', ...telemetry('embed') })

await generateText({ model: openai.chat('missing'), prompt: 'Anyone there?', maxRetries: 0, ...telemetry('fail') }).catch(() => undefined)

await provider.shutdown()
