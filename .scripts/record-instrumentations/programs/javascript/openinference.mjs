// OpenInference's instrumentations of the clients of OpenAI and Anthropic: CLIENT names which.
import { context } from '@opentelemetry/api'
import { setSession } from '@arizeai/openinference-core'
import { end, inSpan, provider, providerUrl } from './tracing.mjs'
import { callAnthropic } from './anthropic-calls.mjs'
import { callOpenai } from './openai-calls.mjs'

const attributesOf = (name, input) => ({
  'openinference.span.kind': 'TOOL',
  'tool.name': name,
  'input.value': JSON.stringify(input),
  'input.mime_type': 'application/json',
})
const aroundTool = (name, input, work) =>
  inSpan(name, attributesOf(name, input), async (span) => {
    const output = work(input)
    span.setAttributes({ 'output.value': output, 'output.mime_type': 'text/plain' })
    return output
  })
const around = (name, sessionId, work) =>
  context.with(setSession(context.active(), { sessionId }), () =>
    inSpan(name, { 'openinference.span.kind': 'AGENT', 'session.id': sessionId }, work),
  )
const maxRetries = 0
if (process.env.CLIENT === 'openai') {
  const { OpenAIInstrumentation } = await import('@arizeai/openinference-instrumentation-openai')
  const { default: OpenAI } = await import('openai')
  new OpenAIInstrumentation({ tracerProvider: provider }).manuallyInstrument(OpenAI)
  await callOpenai({ client: new OpenAI({ baseURL: `${providerUrl}/v1`, apiKey: 'none', maxRetries }), around, aroundTool })
} else {
  const { AnthropicInstrumentation } = await import('@arizeai/openinference-instrumentation-anthropic')
  const { default: Anthropic } = await import('@anthropic-ai/sdk')
  new AnthropicInstrumentation({ tracerProvider: provider }).manuallyInstrument(Anthropic)
  await callAnthropic({ client: new Anthropic({ baseURL: providerUrl, apiKey: 'none', maxRetries }), around, aroundTool })
}
await end()
