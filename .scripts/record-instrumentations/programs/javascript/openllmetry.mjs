// OpenLLMetry for the clients of OpenAI and Anthropic: CLIENT names which.
import { createRequire } from 'node:module'
import { callAnthropic } from './anthropic-calls.mjs'
import { callOpenai } from './openai-calls.mjs'

const traceloop = createRequire(import.meta.url)('@traceloop/node-server-sdk')
const { default: OpenAI } = await import('openai')
const anthropic = await import('@anthropic-ai/sdk')
const { OTEL_EXPORTER_OTLP_ENDPOINT: baseUrl, PROVIDER_URL: providerUrl, CLIENT } = process.env

traceloop.initialize({
  appName: 'trip-planner',
  apiKey: 'none',
  baseUrl,
  silenceInitializationMessage: true,
  traceloopSyncEnabled: false,
  instrumentModules: CLIENT === 'openai' ? { openAI: OpenAI } : { anthropic },
})
const around = (name, sessionId, work) =>
  traceloop.withAssociationProperties({ session_id: sessionId }, () => traceloop.withWorkflow({ name }, work))
const aroundTool = (name, input, work) => traceloop.withTool({ name, inputParameters: [input] }, async () => work(input))
if (CLIENT === 'openai')
  await callOpenai({ client: new OpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'none', maxRetries: 0 }), around, aroundTool })
else await callAnthropic({ client: new anthropic.default({ baseURL: providerUrl, apiKey: 'none', maxRetries: 0 }), around, aroundTool })
await traceloop.forceFlush()
