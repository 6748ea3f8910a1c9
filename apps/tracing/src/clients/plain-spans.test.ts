import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { callOf, drawTree, readCalls } from './testing/call-tree.ts'
import { callsOfProgram } from './testing/otel-program.ts'
import { runProgram } from './testing/run-program.ts'
import { startServer, type ServerUnderTest } from './testing/start-server.ts'

let server: ServerUnderTest
beforeAll(async () => {
  server = await startServer()
})
afterEach(() => expect(server.failures).toEqual([]))
afterAll(() => server.close())

test.each(['protobuf', 'json', 'gzipped protobuf', 'gzipped json'] as const)(
  'spans without an instrumentation arrive whole over %s',
  async (encoding) => {
    const calls = await callsOfProgram({ name: 'plain-spans.mjs', server, encoding })

    expect(drawTree(calls)).toEqual(['ask_agent', '  chat_test-model', '  get__items_id'])
    const agent = callOf(calls, 'ask_agent')
    expect(agent).toMatchObject({
      attributes: {
        agent_name: 'Weather Agent',
        operation_name: 'invoke_agent',
        otel_span: {
          name: 'Ask Agent',
          kind: 'INTERNAL',
          status: { code: 'OK' },
          resource: { attributes: { service: { name: 'program-under-test' } } },
          scope: { name: 'program', version: '1.2.3' },
        },
      },
      summary: { weave: { status: 'success' } },
      thread_id: 'talk-1',
      turn_id: agent.id,
    })
    expect(callOf(calls, 'chat_test-model')).toMatchObject({
      inputs: { 'gen_ai.input.messages': [{ parts: [{ content: 'Grüße, 世界 🌍' }] }] },
      output: { 'gen_ai.output.messages': [{ parts: [{ content: 'Hi' }] }] },
      attributes: { provider: 'openai', model: 'test-model', otel_span: { kind: 'CLIENT' } },
      summary: { usage: { 'test-model': { input_tokens: 5, output_tokens: 2, total_tokens: 7 } } },
      thread_id: 'talk-1',
      turn_id: null,
    })
    const request = callOf(calls, 'get__items_id')
    expect(request).toMatchObject({
      parent_id: agent.id,
      inputs: {},
      output: {},
      attributes: { http: { response: { status_code: 500 } }, test: { list: [1, 2, 3] }, ok: false },
      exception: 'it broke',
      summary: { weave: { status: 'error' } },
      thread_id: null,
    })
    expect(request.attributes['otel_span']).toMatchObject({
      name: 'GET /items/{id}',
      kind: 'SERVER',
      events: [
        { name: 'retry', attributes: { attempt: 2 } },
        { name: 'exception', attributes: { exception: { type: 'TypeError', message: 'no such item' } } },
      ],
    })
  },
)

test('the resource chooses the project before the header does', async () => {
  const project_id = server.newProject()
  const [entity, project] = project_id.split('/')
  const env = { OTEL_RESOURCE_ATTRIBUTES: `service.name=other,wandb.entity=${entity},wandb.project=${project}` }
  expect(await callsOfProgram({ name: 'plain-spans.mjs', server, encoding: 'protobuf', env })).toEqual([])
  expect(drawTree(await readCalls(server, project_id))).toEqual(['ask_agent', '  chat_test-model', '  get__items_id'])
})

test('calls of a conversation are found by its thread and by its turn', async () => {
  const agent = callOf(await callsOfProgram({ name: 'plain-spans.mjs', server, encoding: 'json' }), 'ask_agent')
  const { project_id } = agent
  const namesBy = async (filter: { thread_ids: string[] } | { turn_ids: string[] }) =>
    drawTree((await server.client.calls.query({ project_id, filter })).calls)
  expect(await namesBy({ thread_ids: ['talk-1'] })).toEqual(['ask_agent', '  chat_test-model'])
  expect(await namesBy({ turn_ids: [agent.id] })).toEqual(['ask_agent'])
})

test('a wrong key is answered with 401, and nothing is stored', async () => {
  const project_id = server.newProject()
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${server.url}/otel`,
    OTEL_EXPORTER_OTLP_HEADERS: `wandb-api-key=wrong,project_id=${project_id}`,
  }
  await expect(runProgram({ name: 'plain-spans.mjs', env })).rejects.toThrow(/OTLPExporterError: Unauthorized/)
  expect(await readCalls(server, project_id)).toEqual([])
})
