// The SDK of Langfuse with its wrapped client of OpenAI; it exports by OTLP.
import { LangfuseSpanProcessor } from '@langfuse/otel'
import { observeOpenAI } from '@langfuse/openai'
import { observe, propagateAttributes } from '@langfuse/tracing'
import { NodeSDK } from '@opentelemetry/sdk-node'
import OpenAI from 'openai'
import { callOpenai } from './openai-calls.mjs'

const { PROVIDER_URL: providerUrl } = process.env
const sdk = new NodeSDK({
  autoDetectResources: false,
  spanProcessors: [new LangfuseSpanProcessor({ publicKey: 'pk-lf-none', secretKey: 'sk-lf-none', baseUrl: providerUrl })],
})
sdk.start()
const client = observeOpenAI(new OpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'none', maxRetries: 0 }))
const around = (name, sessionId, work) =>
  propagateAttributes({ sessionId, userId: 'user-1' }, () => observe(work, { name, asType: 'agent', captureOutput: false })())
const aroundTool = (name, input, work) => observe(async (given) => work(given), { name, asType: 'tool' })(input)
await callOpenai({ client, around, aroundTool })
await sdk.shutdown()
