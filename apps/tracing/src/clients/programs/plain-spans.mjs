import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { startTracing } from './start-tracing.mjs'

const provider = startTracing()
const tracer = trace.getTracer('program', '1.2.3')

const conversation = { 'gen_ai.conversation.id': 'talk-1' }
tracer.startActiveSpan(
  'Ask Agent',
  { attributes: { ...conversation, 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'Weather Agent' } },
  (root) => {
    const attributes = {
      ...conversation,
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'test-model',
      'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: 'Grüße, 世界 🌍' }] }]),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [{ type: 'text', content: 'Hi' }], finish_reason: 'stop' }]),
      'gen_ai.usage.input_tokens': 5,
      'gen_ai.usage.output_tokens': 2,
    }
    tracer.startSpan('chat test-model', { kind: SpanKind.CLIENT, attributes }).end()
    tracer.startActiveSpan(
      'GET /items/{id}',
      { kind: SpanKind.SERVER, attributes: { 'http.response.status_code': 500, 'test.list': [1, 2, 3], ok: false } },
      (span) => {
        span.addEvent('retry', { attempt: 2 })
        span.recordException(new TypeError('no such item'))
        span.setStatus({ code: SpanStatusCode.ERROR, message: 'it broke' })
        span.end()
      },
    )
    root.setStatus({ code: SpanStatusCode.OK })
    root.end()
  },
)

await provider.shutdown()
