import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy that sends each request to the next server, without regard to its client. */
export interface Proxy {
  url: string
  /** Requests that each server answered, by its place in the list. */
  answered: readonly number[]
  close(): Promise<void>
}

/**
 * What cannot be sent to a server goes to the next one; what a server got and did not answer is answered with 502, since it may have been carried out.
 * `addresses` returns where the servers are now.
 */
export async function startRoundRobinProxy(addresses: () => readonly string[]): Promise<Proxy> {
  const answered: number[] = []
  let turn = 0
  const server = createServer((from, to) => void pass(from, to))

  async function pass(from: IncomingMessage, to: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of from) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    const targets = addresses()
    for (let tried = 0; tried < targets.length; tried++) {
      const at = turn++ % targets.length
      if (await isPassedTo(targets[at] ?? '', { from, body, to })) return void (answered[at] = (answered[at] ?? 0) + 1)
      if (to.headersSent) return
    }
    to.writeHead(503, { 'retry-after': '0' }).end()
  }

  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => void server.close(resolve))
    },
  }
}

interface Exchange {
  from: IncomingMessage
  body: Buffer
  to: ServerResponse
}

/** False where the server did not answer: then the client has its answer already, or nothing was sent. */
function isPassedTo(address: string, { from, body, to }: Exchange): Promise<boolean> {
  const { method, url, headers } = from
  return new Promise((resolve) => {
    const passing = send(new URL(url ?? '/', address), { method, headers, agent: false }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => to.destroy())
      answer.pipe(to)
      resolve(true)
    })
    passing.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ECONNREFUSED' && !to.headersSent) to.writeHead(502).end()
      resolve(false)
    })
    to.on('close', () => passing.destroy())
    passing.end(body)
  })
}
