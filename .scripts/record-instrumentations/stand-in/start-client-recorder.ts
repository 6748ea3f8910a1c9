import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createTestServer } from '../../../apps/heddle/src/test-server/create-test-server.ts'
import { readBody } from './read-body.ts'

/** A request by which a tracing client wrote calls, after its content encoding was undone. */
export interface WrittenRequest {
  signal: 'client'
  /** With the project in it, where the route has it. */
  path: string
  type: string
  bytes: Buffer
}

/** A server for tracing clients, which answers as a real one and keeps what they write. */
export interface ClientRecorder {
  url: string
  apiKey: string
  /** Project that the recorded programs send to, as named in their requests. */
  project: string
  written: WrittenRequest[]
  close(): Promise<void>
}

export const recordedProject = 'recorded/trip-planner'

/** Routes by which clients write calls. Of other requests nothing is kept, such as the code of ops. */
const writes = /^\/(call\/(start|end|upsert_batch)|v2\/[^/]+\/[^/]+\/(calls\/complete|call\/(start|end)))$/

/** Starts a real server of this working tree on a free port of the loopback address, and one before it that keeps what passes. */
export async function startClientRecorder(): Promise<ClientRecorder> {
  const heddle = await createTestServer()
  const written: WrittenRequest[] = []
  const server = createServer((request, response) => {
    pass({ request, response, to: heddle.url, written }).catch((error: unknown) => response.writeHead(502).end(String(error)))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: heddle.apiKey,
    project: recordedProject,
    written,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await heddle.close()
    },
  }
}

interface Passing {
  request: IncomingMessage
  response: ServerResponse
  to: string
  written: WrittenRequest[]
}

async function pass({ request, response, to, written }: Passing): Promise<void> {
  const { method = 'GET', url: path = '/', headers } = request
  const bytes = await readBody(request)
  const { authorization, accept } = headers
  const type = headers['content-type'] ?? ''
  const sent = { ...(authorization && { authorization }), ...(accept && { accept }), ...(type && { 'content-type': type }) }
  const hasBody = method !== 'GET' && method !== 'HEAD'
  const answer = await fetch(to + path, { method, headers: sent, ...(hasBody && { body: new Uint8Array(bytes) }) })
  if (answer.ok && writes.test(path)) written.push({ signal: 'client', path, type, bytes })
  const answered = Buffer.from(await answer.arrayBuffer())
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? 'application/json' }).end(answered)
}
