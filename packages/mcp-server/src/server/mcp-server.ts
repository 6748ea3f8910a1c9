import type { Transport } from '@modelcontextprotocol/server'
import { createServerFactory } from './create-server.ts'
import type { ServerOptions } from './server-options.ts'

/** The tools, resources and prompts, for one client. */
export interface McpServer {
  /** Serves the client at the other end of a transport of the MCP SDK, such as one in memory. */
  connect(transport: Transport): Promise<void>
  close(): Promise<void>
}

/** Makes a server for a transport of your own. `createHttpHandler` serves many clients over HTTP. */
export function createServer(options: ServerOptions): McpServer {
  const server = createServerFactory(options)()
  return { connect: (transport) => server.connect(transport), close: () => server.close() }
}
