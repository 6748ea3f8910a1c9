import type { Transport } from '@modelcontextprotocol/server'
import { createServerFactory } from './create-server.ts'
import type { ServerOptions } from '../connection/server-options.ts'

/** Any transport of the MCP SDK, in whatever version a program has it. */
export interface McpTransport {
  start(): Promise<void>
  close(): Promise<void>
  send(message: never, options?: never): Promise<void>
}

/** The tools, resources and prompts, for one client. */
export interface McpServer {
  /** Serves the client at the other end of a transport, for example one in memory. */
  connect(transport: McpTransport): Promise<void>
  close(): Promise<void>
}

/** Creates a server for a custom transport. `createHttpHandler` serves many clients over HTTP. */
export function createServer(options: ServerOptions): McpServer {
  const server = createServerFactory(options)()
  return { connect: (transport) => server.connect(transport as unknown as Transport), close: () => server.close() }
}
