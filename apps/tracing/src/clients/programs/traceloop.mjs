import { SpanStatusCode, trace } from '@opentelemetry/api'
import { OpenAIInstrumentation } from '@traceloop/instrumentation-openai'
import OpenAI from 'openai'
import { startTracing } from './start-tracing.mjs'

const provider = startTracing()
const instrumentation = new OpenAIInstrumentation()
instrumentation.setTracerProvider(provider)
instrumentation.manuallyInstrument(OpenAI)
const openai = new OpenAI({ maxRetries: 0 })
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How is the weather in Oslo?' },
]
const weather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}
const attributes = {
  'traceloop.span.kind': 'workflow',
  'traceloop.entity.name': 'answer',
  'traceloop.entity.input': '{"question":"How is the weather in Oslo?"}',
  'traceloop.entity.output': '{"answer":"It is sunny in Oslo."}',
  'traceloop.association.properties.session_id': 'session-1',
}

await trace.getTracer('program').startActiveSpan('answer.workflow', { attributes }, async (span) => {
  await openai.chat.completions.create({ model: 'test-model', temperature: 0.5, messages })
  await openai.chat.completions.create({ model: 'test-model', messages, tools: [weather] })
  const stream = await openai.chat.completions.create({
    model: 'test-model',
    messages,
    stream: true,
    stream_options: { include_usage: true },
  })
  for await (const _ of stream);
  await openai.chat.completions
    .create({ model: 'missing', messages })
    .catch((error) => span.setStatus({ code: SpanStatusCode.ERROR, message: error.message }))
  span.end()
})

await provider.shutdown()
