import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { createHttpHandler } from '../http/create-http-handler.ts'
import { aCheckpoint, aTraining, fakeTraining, modelId } from '../testing/fake-training.ts'

interface ToolAnswer {
  isError?: boolean
  structuredContent?: { data?: Record<string, unknown>; page?: { next_cursor?: string }; error?: { message: string } }
}

/** Two servers that have nothing in common but the services, and a client whose requests go to them in turn. */
async function connectInTurn(sealKeyOf: (server: number) => Uint8Array) {
  const state = aTraining({ checkpoints: [0, 1, 2].map((step) => aCheckpoint({ step })) })
  const options = { baseUrl: 'http://services.test', fetch: fakeTraining(state), allowWrites: true, allowDestructive: true }
  const handlers = [createHttpHandler(options), createHttpHandler(options)]
  let next = 0
  const fetch = (input: string | URL | Request, init?: RequestInit) => {
    const server = next++ % handlers.length
    return handlers[server]!.fetch(new Request(input, init), { caller: { id: 'one', sealKey: sealKeyOf(server) } })
  }
  const client = new Client(
    { name: 'tests', version: '1' },
    { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
  )
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept' as const, content: { name: 'agent' } }))
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }))
  const call = async (name: string, args: Record<string, unknown>) => (await client.callTool({ name, arguments: args })) as ToolAnswer
  return { call, state }
}

const ofCaller = new Uint8Array(32).fill(7)
const ofServer = (server: number) => new Uint8Array(32).fill(server)

test('a cursor of one server is read by another with the same key for the caller', async () => {
  const { call } = await connectInTurn(() => ofCaller)
  const first = await call('model_checkpoints_list', { model_id: modelId, limit: 2 })
  const cursor = first.structuredContent?.page?.next_cursor
  expect(cursor).toEqual(expect.any(String))
  const second = await call('model_checkpoints_list', { model_id: modelId, limit: 2, cursor })
  expect(second.structuredContent?.data?.['checkpoints']).toHaveLength(1)
})

test('a question of one server is answered at another with the same key for the caller', async () => {
  const { call, state } = await connectInTurn(() => ofCaller)
  const { structuredContent } = await call('model_checkpoints_delete', { model_id: modelId, keep: [0] })
  expect(structuredContent?.data).toMatchObject({ deleted: true, deleted_count: 1 })
  expect(state.deletedSteps).toEqual([1])
})

test('what was sealed with another key is refused', async () => {
  const { call, state } = await connectInTurn(ofServer)
  await expect(call('model_checkpoints_delete', { model_id: modelId, keep: [0] })).rejects.toThrow(/requestState/i)
  expect(state.deletedSteps).toEqual([])
})
