import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A model provider that answers each request with `reply`, or as `respond` says. */
export interface TestProvider {
  baseUrl: string
  reply: { status: number; body: string }
  /** Answers instead of `reply` until `forget`. */
  respond: ((response: ServerResponse) => void) | undefined
  /** The requests since `forget`. */
  readonly asked: { url: string | undefined; headers: IncomingHttpHeaders; body: unknown }[]
  forget(): void
  close(): void
}

export async function startTestProvider(): Promise<TestProvider> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      provider.asked.push({ url: request.url, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
      if (provider.respond) provider.respond(response)
      else response.writeHead(provider.reply.status, { 'content-type': 'application/json' }).end(provider.reply.body)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const provider: TestProvider = {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    reply: { status: 200, body: '{}' },
    respond: undefined,
    asked: [],
    forget() {
      provider.asked.length = 0
      provider.respond = undefined
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return provider
}
