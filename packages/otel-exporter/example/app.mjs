import { trace } from '@opentelemetry/api'

// An agent of one step, as an instrumentation would trace it. No line here refers to Heddle.
const tracer = trace.getTracer('example')
const asMessage = (role, content) => JSON.stringify([{ role, parts: [{ type: 'text', content }] }])

await tracer.startActiveSpan('plan a trip', async (trip) => {
  const chat = tracer.startSpan('chat example-model', { attributes: { 'gen_ai.request.model': 'example-model' } })
  chat.setAttribute('gen_ai.input.messages', asMessage('user', 'Where shall I go in May?'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  chat.setAttributes({ 'gen_ai.output.messages': asMessage('assistant', 'To Lisbon.'), 'gen_ai.usage.output_tokens': 3 })
  chat.end()
  trip.end()
})
