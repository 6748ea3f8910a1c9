import { tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestServer } from '../test-server/create-test-server.ts'
import { shareBuiltTestServer } from '../testing/built-test-server.ts'
import { connectCurrent } from '../testing/mcp-clients.ts'
import { recordTraces } from '../testing/record-traces.ts'

let server: TestServer
let url: string

beforeAll(async () => {
  server = await shareBuiltTestServer()
  url = `${server.url}/mcp`
})
afterAll(() => server?.close())

const post = (headers: Record<string, string>) =>
  fetch(url, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
  })

test('a missing and a wrong key are refused', async () => {
  expect((await post({})).status).toBe(401)
  expect((await post({ authorization: 'Bearer not-a-key' })).status).toBe(401)
  expect((await post({ authorization: `Bearer ${server.apiKey}` })).status).toBe(200)
})

test('a key without headers is offered the default set, and with headers what it may use', async () => {
  const namesOf = async (headers: Record<string, string>) => {
    const text = await (await post({ authorization: `Bearer ${server.apiKey}`, ...headers })).text()
    const { result } = JSON.parse(text.replace(/^event: .*\ndata: /, '')) as { result: { tools: { name: string }[] } }
    return result.tools.map(({ name }) => name)
  }
  const byDefault = await namesOf({})
  expect(byDefault).toHaveLength(19)
  for (const name of ['feedback_create', 'annotation_queue_add', 'model_delete']) expect(byDefault).not.toContain(name)
  expect(await namesOf({ 'x-heddle-toolsets': 'annotate' })).toEqual(['annotation_queue_add', 'feedback_create'])
})

test('a page of another site is refused, also with a good key', async () => {
  expect((await post({ authorization: `Bearer ${server.apiKey}`, origin: 'https://evil.example' })).status).toBe(403)
})

test('what another project has is not found', async () => {
  const client = createClient({ baseUrl: server.url, apiKey: server.apiKey, contract: tracing })
  const [mine, theirs] = [server.newProject(), server.newProject()]
  const one = { question: 'a', answer: 'b', model: 'm', startedAtMs: Date.UTC(2026, 10, 10), latencyMs: 50, tokens: 20 }
  const [trace_id] = await recordTraces(client, theirs, [one])
  await recordTraces(client, mine, [one])
  const mcp = await connectCurrent({ url, headers: { authorization: `Bearer ${server.apiKey}` } })
  const found = await mcp.call('trace_get', { project: theirs, trace_id })
  expect(found.isError ?? false).toBe(false)
  const { isError, structuredContent } = await mcp.call('trace_get', { project: mine, trace_id })
  expect([isError, structuredContent?.error?.code]).toEqual([true, 'not_found'])
  await mcp.close()
})
