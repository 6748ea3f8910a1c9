import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedMessage {
  url: string | undefined
  headers: IncomingHttpHeaders
  body: string
}

/** A server that webhooks name. It accepts each message, unless `respond` says otherwise. */
export interface Receiver {
  url: string
  /** In the order in which they came. */
  readonly received: ReceivedMessage[]
  respond: (response: ServerResponse) => void
  close(): void
}

export const respondWith =
  (status: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(status, headers).end('what the receiver says')

export async function startReceiver(host = '127.0.0.1'): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.once('end', () => {
      receiver.received.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() })
      receiver.respond(response)
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, host, resolve))
  const receiver: Receiver = {
    url: `http://${host}:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    respond: respondWith(204),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}
