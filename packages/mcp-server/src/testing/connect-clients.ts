import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createHttpHandler } from '../http/create-http-handler.ts'
import type { McpCaller } from '../connection/caller.ts'
import type { ServerOptions } from '../connection/server-options.ts'

const info = { name: 'tests', version: '1' }
const url = new URL('http://localhost/mcp')

export interface Connecting {
  options: ServerOptions
  caller?: McpCaller
  clientOptions?: ClientOptions
}

function handlerFetch({ options, caller = {} }: Connecting) {
  const handler = createHttpHandler(options)
  return (input: string | URL | Request, init?: RequestInit) => handler.fetch(new Request(input, init), { caller })
}

/** A client of the current SDK, without a port. */
export async function connectClient(connecting: Connecting): Promise<Client> {
  const client = new Client(info, {
    versionNegotiation: { mode: 'auto' },
    capabilities: { elicitation: { form: {} } },
    ...connecting.clientOptions,
  })
  await client.connect(new StreamableHTTPClientTransport(url, { fetch: handlerFetch(connecting) }))
  return client
}

/** A client of the 1.x line. */
export async function connectOlderClient(connecting: Connecting): Promise<OlderClient> {
  const client = new OlderClient(info)
  await client.connect(new OlderTransport(url, { fetch: handlerFetch(connecting) }) as Parameters<OlderClient['connect']>[0])
  return client
}
