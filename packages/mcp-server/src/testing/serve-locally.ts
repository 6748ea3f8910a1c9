import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createHttpHandler } from '../http/create-http-handler.ts'
import type { ServerOptions } from '../connection/server-options.ts'

const token = 'a-token-of-these-tests'

/** The server on a port of loopback, with its own guards, for programs that send no credential: it is added to what they send. */
export async function serveLocally(options: ServerOptions): Promise<{ url: string; close(): Promise<void> }> {
  const handler = createHttpHandler({ ...options, auth: { mode: 'static', token }, maxRequestsPerSecond: 1_000 })
  const answer = toNodeHandler({
    fetch(request: Request) {
      const authorized = new Request(request)
      authorized.headers.set('authorization', `Bearer ${token}`)
      return handler.fetch(authorized)
    },
  })
  const server = createServer((request, response) => void answer(request as Parameters<typeof answer>[0], response))
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    async close() {
      await handler.close()
      server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}
