// Mastra with its own exporter for OpenTelemetry.
import { createOpenAI } from '@ai-sdk/openai'
import { Agent } from '@mastra/core/agent'
import { Mastra } from '@mastra/core'
import { createTool } from '@mastra/core/tools'
import { Observability } from '@mastra/observability'
import { OtelExporter } from '@mastra/otel-exporter'
import { z } from 'zod'
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

const provider = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: 'none' })
const get_weather = createTool({
  id: 'get_weather',
  description: weatherDescription,
  inputSchema: z.object({ city: z.string() }),
  execute: async (input) => getWeather(input),
})
const planner = new Agent({
  id: 'planner',
  name: 'planner',
  instructions: 'You plan trips.',
  model: provider.chat('gpt-5-mini'),
  tools: { get_weather },
  maxRetries: 0,
})
const thinker = new Agent({
  id: 'thinker',
  name: 'thinker',
  instructions: 'Think.',
  model: provider.responses('gpt-5-mini'),
  maxRetries: 0,
})

const custom = { endpoint: `${process.env.OTEL_EXPORTER_OTLP_ENDPOINT}/v1/traces`, protocol: 'http/protobuf', headers: {} }
const observability = new Observability({
  configs: { heddle: { serviceName: 'trip-planner', exporters: [new OtelExporter({ provider: { custom } })] } },
})
const mastra = new Mastra({ agents: { planner, thinker }, observability })
const agent = mastra.getAgent('planner')
const inThread = (threadId) => ({ tracingOptions: { metadata: { threadId } }, modelSettings: { maxRetries: 0 } })

await agent.generate(tripQuestion, inThread('trip-7'))
const stream = await agent.stream(countQuestion, inThread('trip-7'))
await stream.text
await mastra.getAgent('thinker').generate(hardQuestion, inThread('trip-8'))
await agent.generate(brokenQuestion, inThread('trip-8'))
await expectRefusal(() => agent.generate(refusedQuestion, inThread('trip-8')))
await observability.shutdown()
