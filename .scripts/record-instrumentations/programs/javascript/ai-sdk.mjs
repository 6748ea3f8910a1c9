// AI SDK 4 to 7: AI_SDK names the version.
import * as ai from 'ai'
import { createOpenAI } from '@ai-sdk/openai'
import { z } from 'zod'
import { end, inSpan, providerUrl } from './tracing.mjs'
import {
  brokenQuestion,
  countQuestion,
  expectRefusal,
  getWeather,
  hardQuestion,
  refusedQuestion,
  tripQuestion,
  weatherDescription,
} from './weather.mjs'

const version = Number(process.env.AI_SDK)
if (version >= 7) {
  const { OpenTelemetry } = await import('@ai-sdk/otel')
  const { registerTelemetry } = await import('ai')
  registerTelemetry(new OpenTelemetry())
}
const openai = createOpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'none', ...(version === 4 && { compatibility: 'strict' }) })
const model = version === 4 ? openai('gpt-5-mini') : openai.chat('gpt-5-mini')
const responsesModel = openai.responses('gpt-5-mini')
const telemetry = (functionId, sessionId) =>
  version >= 7
    ? { telemetry: { functionId } }
    : { experimental_telemetry: { isEnabled: true, functionId, metadata: { sessionId, userId: 'user-1' } } }
const tool = {
  description: weatherDescription,
  [version === 4 ? 'parameters' : 'inputSchema']: z.object({ city: z.string() }),
  execute: async (input) => getWeather(input),
}
const agent = {
  model,
  system: 'You plan trips.',
  tools: { get_weather: ai.tool(tool) },
  maxRetries: 0,
  ...(version === 4 ? { maxSteps: 5 } : { stopWhen: ai.stepCountIs(5) }),
  ...(version >= 7 && { system: undefined, instructions: 'You plan trips.' }),
}

await inSpan('plan trip', { 'session.id': 'trip-7' }, async () => {
  await ai.generateText({ ...agent, prompt: tripQuestion, ...telemetry('plan-trip', 'trip-7') })
  const stream = ai.streamText({ model, prompt: countQuestion, maxRetries: 0, ...telemetry('count', 'trip-7') })
  await stream.consumeStream?.()
  await stream.text
})
await ai.generateText({ model: responsesModel, prompt: hardQuestion, ...telemetry('hard-question', 'trip-8') })
await (version === 4 ? expectRefusal : (work) => work())(() =>
  ai.generateText({ ...agent, prompt: brokenQuestion, ...telemetry('broken', 'trip-8') }),
)
await expectRefusal(() => ai.generateText({ model, prompt: refusedQuestion, maxRetries: 0, ...telemetry('refused', 'trip-8') }))
const embedding = openai.textEmbeddingModel?.('text-embedding-3-small') ?? openai.embedding('text-embedding-3-small')
await ai.embed({ model: embedding, value: 'weather in cities', ...telemetry('embed', 'trip-8') })
await end()
