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

test.each(['json', 'gzipped protobuf'] as const)(
  'the OpenAI instrumentation of OpenInference sends an agent turn over %s',
  async (encoding) => {
    const calls = await callsOfProgram({ name: 'openinference.mjs', server, encoding, modelUrl: model.url })

    expect(drawTree(calls)).toEqual([
      'agent_turn',
      '  openai_chat_completions',
      '  openai_chat_completions',
      '  openai_chat_completions',
      '  openai_embeddings',
    ])
    const turn = callOf(calls, 'agent_turn')
    expect(turn).toMatchObject({
      attributes: { kind: 'AGENT', otel_span: { status: { code: 'ERROR' }, events: [{ name: 'exception' }] } },
      exception: '404 The model `missing` does not exist',
      summary: { weave: { status: 'error' } },
      thread_id: 'session-1',
      turn_id: turn.id,
    })
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'How is the weather in Oslo?' },
    ]
    expect(callOf(calls, 'openai_chat_completions')).toMatchObject({
      inputs: { 'input.value': { model: 'test-model', temperature: 0.5, messages } },
      output: { 'output.value': { choices: [{ message: { role: 'assistant', content: 'It is sunny in Oslo.' }, finish_reason: 'stop' }] } },
      attributes: { kind: 'LLM', system: 'openai', model: 'test-model', model_parameters: { temperature: 0.5 } },
      summary: {
        usage: { 'test-model': { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18, cache_read_input_tokens: 3 } },
        weave: { status: 'success', trace_name: 'openai_chat_completions' },
      },
      thread_id: 'session-1',
      turn_id: null,
    })
    expect(callOf(calls, 'openai_chat_completions', 1).output).toMatchObject({
      'output.value': { choices: [{ message: { tool_calls: [{ function: { name: 'weather', arguments: '{"city":"Oslo"}' } }] } }] },
    })
    expect(callOf(calls, 'openai_chat_completions', 2).output).toEqual({ 'output.value': 'It is sunny in Oslo.' })
    expect(callOf(calls, 'openai_embeddings')).toMatchObject({ inputs: { 'input.value': 'sunny day' }, attributes: { kind: 'EMBEDDING' } })
  },
)
