import { setSession } from '@arizeai/openinference-core'
import { OpenAIInstrumentation } from '@arizeai/openinference-instrumentation-openai'
import { context, SpanStatusCode, trace } from '@opentelemetry/api'
import OpenAI from 'openai'
import { startTracing } from './start-tracing.mjs'

const provider = startTracing()
const instrumentation = new OpenAIInstrumentation({ tracerProvider: provider })
instrumentation.manuallyInstrument(OpenAI)
const openai = new OpenAI({ maxRetries: 0 })
const tracer = trace.getTracer('program')
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'How is the weather in Oslo?' },
]
const weather = {
  type: 'function',
  function: { name: 'weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}

await context.with(setSession(context.active(), { sessionId: 'session-1' }), () =>
  tracer.startActiveSpan('Agent turn', { attributes: { 'openinference.span.kind': 'AGENT', 'session.id': 'session-1' } }, async (span) => {
    await openai.chat.completions.create({ model: 'test-model', temperature: 0.5, messages })
    await openai.chat.completions.create({ model: 'test-model', messages, tools: [weather] })
    const stream = await openai.chat.completions.create({
      model: 'test-model',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    for await (const _ of stream);
    await openai.embeddings.create({ model: 'test-embedding', input: 'sunny day' })
    await openai.chat.completions.create({ model: 'missing', messages }).catch((error) => {
      span.recordException(error)
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message })
    })
    span.end()
  }),
)

await provider.shutdown()
