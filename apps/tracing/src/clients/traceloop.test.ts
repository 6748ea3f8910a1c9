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

test.each(['protobuf', 'gzipped json'] as const)('the OpenAI instrumentation of Traceloop sends a workflow over %s', async (encoding) => {
  const calls = await callsOfProgram({ name: 'traceloop.mjs', server, encoding, modelUrl: model.url })

  expect(drawTree(calls)).toEqual(['answer.workflow', '  chat_test-model', '  chat_test-model', '  chat_test-model'])
  const workflow = callOf(calls, 'answer.workflow')
  expect(workflow).toMatchObject({
    inputs: { 'traceloop.entity.input': { question: 'How is the weather in Oslo?' } },
    output: { 'traceloop.entity.output': { answer: 'It is sunny in Oslo.' } },
    attributes: { kind: 'workflow' },
    exception: '404 The model `missing` does not exist',
    summary: { weave: { status: 'error', trace_name: 'answer.workflow' } },
    thread_id: 'session-1',
    turn_id: workflow.id,
  })
  expect(callOf(calls, 'chat_test-model')).toMatchObject({
    trace_id: workflow.trace_id,
    inputs: {
      'gen_ai.input.messages': [
        { role: 'system', parts: [{ type: 'text', content: 'Be brief.' }] },
        { role: 'user', parts: [{ type: 'text', content: 'How is the weather in Oslo?' }] },
      ],
    },
    output: {
      'gen_ai.output.messages': [{ role: 'assistant', parts: [{ type: 'text', content: 'It is sunny in Oslo.' }], finish_reason: 'stop' }],
    },
    attributes: {
      model: 'test-model',
      provider: 'openai',
      operation_name: 'chat',
      model_parameters: { temperature: 0.5 },
      finish_reasons: ['stop'],
    },
    exception: null,
    summary: { usage: { 'test-model': { input_tokens: 11, output_tokens: 7, total_tokens: 18 } }, weave: { status: 'success' } },
  })
  expect(callOf(calls, 'chat_test-model', 1).output).toMatchObject({
    'gen_ai.output.messages': [{ parts: [{ type: 'tool_call', name: 'weather', arguments: { city: 'Oslo' } }] }],
  })
  expect(callOf(calls, 'chat_test-model', 2).output).toMatchObject({
    'gen_ai.output.messages': [{ parts: [{ content: 'It is sunny in Oslo.' }] }],
  })
})
