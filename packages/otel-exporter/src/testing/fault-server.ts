import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { freePort } from '@heddle/testing/free-port'
import { decodedSpans, type DecodedSpan } from './decode-otlp.ts'

/** What the server does with one request. `accept` is the default. */
export type Fault =
  | { kind: 'accept' }
  | { kind: 'answer'; status: number; headers?: Record<string, string>; body?: string | Uint8Array }
  /** Takes the spans and responds after this many milliseconds. */
  | { kind: 'delay'; ms: number }
  /** Closes the connection while the request is read. */
  | { kind: 'reset-while-reading' }
  /** Takes the spans, then closes the connection without a response. */
  | { kind: 'reset-after-reading' }
  /** Takes the spans, then closes the connection in the middle of the response. */
  | { kind: 'half-answer' }
  /** Takes the spans and drips the response forever. */
  | { kind: 'slow-loris' }
  /** Never responds. */
  | { kind: 'hang' }
  /** Takes the spans and responds with invalid gzip. */
  | { kind: 'garbage-gzip' }
  /** Rejects requests of more than this many spans as too large. */
  | { kind: 'at-most'; spans: number }
  | { kind: 'at-most-bytes'; bytes: number }

export interface ReceivedRequest {
  headers: IncomingMessage['headers']
  url: string
  spans: DecodedSpan[]
  /** True when the sender got a success response. */
  accepted: boolean
  body: Buffer
}

export interface FaultServer {
  url: string
  readonly requests: ReceivedRequest[]
  /** Faults of the next requests, in order. */
  next(...faults: Fault[]): void
  /** Fault of all further requests. */
  always(fault: Fault): void
  /** Closes every connection and refuses new ones until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
  close(): Promise<void>
}

/** A trace server on loopback with injected faults. */
export async function startFaultServer(): Promise<FaultServer> {
  const requests: ReceivedRequest[] = []
  const planned: Fault[] = []
  const timers = new Set<NodeJS.Timeout>()
  let usual: Fault = { kind: 'accept' }
  // It may stop, and has to find its port free when it starts again.
  const port = await freePort()
  let server: Server = await listen()

  function listen(): Promise<Server> {
    const created = createServer((request, response) => {
      const fault = planned.shift() ?? usual
      if (fault.kind === 'reset-while-reading') request.once('data', () => (request.socket as Socket).resetAndDestroy())
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('error', () => undefined)
      request.on('end', () => misbehave(fault, { request, response, body: Buffer.concat(chunks), requests, timers }))
    })
    return new Promise((resolve, reject) => {
      created.once('error', reject)
      created.listen(port, '127.0.0.1', () => resolve(created))
    })
  }
  function stop(): Promise<void> {
    for (const timer of timers) clearTimeout(timer)
    server.closeAllConnections()
    return new Promise((resolve) => (server.listening ? server.close(() => resolve()) : resolve()))
  }

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    next: (...faults) => void planned.push(...faults),
    always: (fault) => {
      usual = fault
    },
    stop,
    async start() {
      server = await listen()
    },
    close: stop,
  }
}

/** All acknowledged spans. */
export function acceptedSpans({ requests }: Pick<FaultServer, 'requests'>): DecodedSpan[] {
  return requests.filter(({ accepted }) => accepted).flatMap(({ spans }) => spans)
}

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
  body: Buffer
  requests: ReceivedRequest[]
  timers: Set<NodeJS.Timeout>
}

function misbehave(fault: Fault, { request, response, body, requests, timers }: Exchange): void {
  const plain = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
  const received = {
    headers: request.headers,
    url: request.url ?? '',
    spans: decodedSpans(plain, request.headers['content-type']),
    accepted: false,
    body: plain,
  }
  requests.push(received)
  const accept = (headers: Record<string, string> = {}) => {
    received.accepted = true
    response.writeHead(200, { 'content-type': 'application/x-protobuf', ...headers })
  }
  if (fault.kind === 'answer') {
    received.accepted = fault.status < 300
    response.writeHead(fault.status, fault.headers).end(fault.body)
  } else if (fault.kind === 'delay') {
    const timer = setTimeout(() => (accept(), response.end()), fault.ms)
    timers.add(timer)
  } else if (fault.kind === 'reset-after-reading') (request.socket as Socket).resetAndDestroy()
  else if (fault.kind === 'half-answer') {
    accept({ 'content-length': '100' })
    response.write('half', () => request.socket.destroy())
  } else if (fault.kind === 'slow-loris') {
    accept()
    response.write('d')
  } else if (fault.kind === 'garbage-gzip') {
    accept({ 'content-encoding': 'gzip' })
    response.end('this is not gzip')
  } else if (fault.kind === 'at-most' && received.spans.length > fault.spans) response.writeHead(413).end()
  else if (fault.kind === 'at-most-bytes' && plain.length > fault.bytes) response.writeHead(413).end()
  else if (fault.kind !== 'hang' && fault.kind !== 'reset-while-reading') {
    accept()
    response.end()
  }
}
