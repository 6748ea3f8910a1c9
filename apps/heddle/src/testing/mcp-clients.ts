import { Client as CurrentClient, StreamableHTTPClientTransport as CurrentTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport as CurrentStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OlderStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { setTimeout } from 'node:timers/promises'

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

/** Over HTTP. */
export interface McpAddress {
  url: string
  headers?: Record<string, string>
  /** Sends the text of messages. Default: as it is. */
  rewrite?: (body: string) => string
}

/** Over the standard input and output of a program. */
export interface McpCommand {
  command: string
  args: string[]
  env: Record<string, string>
}

const info = { name: 'tests', version: '1' }

/** Sends a request again that came too soon after others, when the server says: tests ask faster than the rate for a caller. */
const fetchAtTheRate: typeof fetch = async (input, init) => {
  for (;;) {
    const response = await fetch(input, init)
    if (response.status !== 429) return response
    await response.body?.cancel()
    await setTimeout(Number(response.headers.get('retry-after')) * 1_000)
  }
}

const overHttp = ({ headers = {}, rewrite = (body) => body }: McpAddress) => ({
  requestInit: { headers },
  fetch: ((input, init) =>
    fetchAtTheRate(input, typeof init?.body === 'string' ? { ...init, body: rewrite(init.body) } : init)) satisfies typeof fetch,
})

/** A client of the current SDK. */
export async function connectCurrent(to: McpAddress | McpCommand): Promise<McpClient & { client: CurrentClient }> {
  const client = new CurrentClient(info, { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } })
  await client.connect('url' in to ? new CurrentTransport(new URL(to.url), overHttp(to)) : new CurrentStdio(to))
  return {
    client,
    protocolVersion: () => client.getNegotiatedProtocolVersion(),
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as ToolResult,
    close: () => client.close(),
  }
}

/** A client of the 1.x line, which most installed assistants have. */
export async function connectOlder(to: McpAddress | McpCommand): Promise<McpClient> {
  const client = new OlderClient(info)
  const transport = 'url' in to ? new OlderTransport(new URL(to.url), overHttp(to)) : new OlderStdio(to)
  await client.connect(transport as Parameters<OlderClient['connect']>[0])
  return {
    protocolVersion: () => ('protocolVersion' in transport ? transport.protocolVersion : undefined),
    list: async () => (await client.listTools()).tools,
    call: async (name, args = {}) => (await client.callTool({ name, arguments: args })) as ToolResult,
    close: () => client.close(),
  }
}
