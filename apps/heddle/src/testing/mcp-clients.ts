import { Client as CurrentClient, StreamableHTTPClientTransport as CurrentTransport } from '@modelcontextprotocol/client'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** A result of a tool, whichever client read it. */
export interface ToolResult {
  isError?: boolean
  content: { type: string; text?: string; uri?: string }[]
  structuredContent?: {
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
    data?: any
    page?: { next_cursor?: string; returned: number; total?: number }
    truncated?: { dropped: string[] }
    warnings?: string[]
    error?: { code: string; message: string; hint: string; retryable: boolean }
  }
}

export interface ListedTool {
  name: string
  description?: string | undefined
  inputSchema: object
  outputSchema?: object | undefined
  annotations?: object | undefined
}

/** A connected client of either protocol era. */
export interface McpClient {
  protocolVersion(): string | undefined
  list(): Promise<ListedTool[]>
  call(name: string, args?: Record<string, unknown>): Promise<ToolResult>
  close(): Promise<void>
}

export interface McpAddress {
  url: string
  headers?: Record<string, string>
}

const info = { name: 'tests', version: '1' }

/** A client of the current SDK. */
export async function connectCurrent({ url, headers = {} }: McpAddress): Promise<McpClient & { client: CurrentClient }> {
  const client = new CurrentClient(info, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } })
  await client.connect(new CurrentTransport(new URL(url), { requestInit: { headers } }))
  return {
    client,
    protocolVersion: () => client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as ToolResult,
    close: () => client.close(),
  }
}

/** A client of the 1.x line, which most installed assistants have. */
export async function connectOlder({ url, headers = {} }: McpAddress): Promise<McpClient> {
  const client = new OlderClient(info)
  const transport = new OlderTransport(new URL(url), { requestInit: { headers } })
  await client.connect(transport as Parameters<OlderClient['connect']>[0])
  return {
    protocolVersion: () => transport.protocolVersion,
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as ToolResult,
    close: () => client.close(),
  }
}
