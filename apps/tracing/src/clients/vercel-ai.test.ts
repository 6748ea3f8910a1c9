import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callOf, drawTree } from './testing/call-tree.ts'
import { startModelEndpoint, type ModelEndpoint } from './testing/model-endpoint.ts'
import { callsOfProgram } from './testing/otel-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

let server: ServerUnderTest
let model: ModelEndpoint
beforeAll(async () => {
  server = await startServer()
  model = await startModelEndpoint()
})
afterEach(() => expect(server.failures).toEqual([]))
afterAll(async () => {
  await model.close()
  await server.close()
})

test.each(['protobuf', 'gzipped json'] as const)('the AI SDK sends its steps, tools and streams over %s', async (encoding) => {
  const calls = await callsOfProgram({ name: 'vercel-ai.mjs', server, encoding, modelUrl: model.url })

  expect(drawTree(calls)).toEqual([
    'ai.embed',
    '  ai.embed.doembed',
    'ai.generatetext',
    '  ai.generatetext.dogenerate',
    '  ai.generatetext.dogenerate',
    '  ai.toolcall',
    'ai.generatetext',
    '  ai.generatetext.dogenerate',
    'ai.streamtext',
    '  ai.streamtext.dostream',
  ])

  const ask = callOf(calls, 'ai.generatetext')
  expect(ask).toMatchObject({
    inputs: { 'ai.prompt': { system: 'Be brief.', prompt: 'How is the weather in Oslo?' } },
    output: { 'ai.response': { text: 'It is sunny in Oslo.', finishReason: 'stop' } },
    attributes: { model: 'test-model', provider: 'openai.chat', operation_name: 'ai.generateText', otel_span: { name: 'ai.generateText' } },
    exception: null,
    thread_id: 'session-1',
    turn_id: ask.id,
  })
  // Its steps carry the usage; told here as well it would count twice.
  expect(ask.summary).toEqual({ weave: { status: 'success', trace_name: 'ai.generatetext', latency_ms: expect.any(Number) } })

  expect(callOf(calls, 'ai.generatetext.dogenerate')).toMatchObject({
    trace_id: ask.trace_id,
    inputs: { 'ai.prompt': { messages: [{ role: 'system' }, { role: 'user', content: [{ text: 'How is the weather in Oslo?' }] }] } },
    output: { 'ai.response': { toolCalls: [{ toolName: 'weather', input: '{"city":"Oslo"}' }], finishReason: 'tool-calls' } },
    attributes: { model_parameters: { model: 'test-model', temperature: 0.5 }, finish_reasons: ['tool-calls'], response_id: 'chatcmpl-1' },
    summary: { usage: { 'test-model': { input_tokens: 11, output_tokens: 7, total_tokens: 18 } }, weave: { status: 'success' } },
    thread_id: 'session-1',
    turn_id: null,
  })
  expect(callOf(calls, 'ai.toolcall')).toMatchObject({
    inputs: { 'ai.toolCall.args': { city: 'Oslo' } },
    output: { 'ai.toolCall.result': { city: 'Oslo', sky: 'sunny' } },
    attributes: { tool_name: 'weather', tool_call_id: 'call-1' },
  })
  expect(callOf(calls, 'ai.streamtext.dostream')).toMatchObject({
    output: { 'ai.response': { text: 'It is sunny in Oslo.' } },
    summary: { usage: { 'test-model': { input_tokens: 11, output_tokens: 7, total_tokens: 18, cache_read_input_tokens: 3 } } },
  })
  expect(callOf(calls, 'ai.embed')).toMatchObject({ inputs: { 'ai.value': '"sunny day"' }, output: { 'ai.embedding': [0.25, -0.5, 1] } })
  for (const name of ['ai.generatetext', 'ai.generatetext.dogenerate'])
    expect(calls.findLast((call) => call.op_name.includes(`/${name}:`))).toMatchObject({
      exception: 'The model `missing` does not exist',
      summary: { weave: { status: 'error' } },
    })
})
