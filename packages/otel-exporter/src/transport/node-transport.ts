import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import { concatBytes, sumOfLengths, type Bytes } from '../encoding/concat-bytes.ts'
import { answerBodyTimeoutMs, maxAnswerBytes, type Transport, type TransportAnswer, type TransportRequest } from './transport.ts'

/** Paths of PEM files. */
export interface TlsFiles {
  certificate?: string | undefined
  clientCertificate?: string | undefined
  clientKey?: string | undefined
}

export interface NodeTransportOptions {
  url: string
  /** Connections kept open between requests. */
  sockets: number
  tls: TlsFiles
  /** Called once for a file that cannot be read; requests are then sent without it. */
  warn(message: string): void
}

/** Maximum bytes written per tick. */
const chunkBytes = 512 * 1024

/** Over `node:http` and `node:https`, with persistent connections. Certificate files are read once, here. */
export function createNodeTransport({ url, sockets, tls, warn }: NodeTransportOptions): Transport {
  const target = new URL(url)
  const agentOptions = { keepAlive: true, maxSockets: sockets, maxFreeSockets: sockets, scheduling: 'lifo' } as const
  const secure = target.protocol === 'https:'
  const agent = secure ? new https.Agent({ ...agentOptions, ...readTls(tls, warn) }) : new http.Agent(agentOptions)
  const request = secure ? https.request : http.request
  return {
    send: ({ body, headers, timeoutMs, signal }) =>
      new Promise((resolve) => {
        const open = request(target, { method: 'POST', agent, headers: { ...headers, 'content-length': String(sumOfLengths(body)) } })
        exchange({ open, timeoutMs, signal, resolve })
        void writeInChunks(open, body)
      }),
    close: () => agent.destroy(),
  }
}

/** Copying megabytes into a socket takes milliseconds; the event loop is yielded in between. */
async function writeInChunks(open: http.ClientRequest, body: readonly Bytes[]): Promise<void> {
  open.cork()
  let written = 0
  for (const part of body) {
    for (let at = 0; at < part.length; at += chunkBytes) {
      const piece = at === 0 && part.length <= chunkBytes ? part : part.subarray(at, at + chunkBytes)
      if (written > 0 && written + piece.length > chunkBytes) {
        open.uncork()
        await new Promise((resolve) => setImmediate(resolve))
        if (open.destroyed) return
        open.cork()
        written = 0
      }
      open.write(piece)
      written += piece.length
    }
  }
  open.end()
}

interface Exchange extends Pick<TransportRequest, 'timeoutMs' | 'signal'> {
  open: http.ClientRequest
  resolve(answer: TransportAnswer): void
}

function exchange({ open, timeoutMs, signal, resolve }: Exchange): void {
  let response: http.IncomingMessage | undefined
  let size = 0
  const chunks: Uint8Array[] = []
  const fail = (reason: string) => finish({ kind: 'failure', reason, staleConnection: false })
  const abort = () => fail('ended')
  const timer = setTimeout(() => fail(`no response within ${timeoutMs} ms`), timeoutMs)
  timer.unref()
  signal.addEventListener('abort', abort, { once: true })

  function finish(failure: TransportAnswer): void {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    resolve(response === undefined ? failure : answerOf(response, chunks))
    // A socket whose response was read completely is back with the agent, and is not closed by this.
    if (response?.complete !== true) open.destroy()
  }

  // A request alone does not keep the process alive; a flush that awaits it does.
  open.on('socket', (socket) => socket.unref())
  open.on('error', (error: NodeJS.ErrnoException) => {
    finish({ kind: 'failure', reason: error.message, staleConnection: open.reusedSocket && error.code === 'ECONNRESET' })
  })
  open.on('response', (incoming) => {
    response = incoming
    const bodyTimer = setTimeout(() => fail('the response body timed out'), Math.min(answerBodyTimeoutMs, timeoutMs))
    bodyTimer.unref()
    incoming.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= maxAnswerBytes) chunks.push(chunk)
      else incoming.destroy()
    })
    incoming.on('error', () => undefined)
    incoming.on('close', () => {
      clearTimeout(bodyTimer)
      fail('the response was interrupted')
    })
  })
  if (signal.aborted) abort()
}

function answerOf(response: http.IncomingMessage, chunks: readonly Uint8Array[]): TransportAnswer {
  return {
    kind: 'answer',
    status: response.statusCode ?? 0,
    retryAfter: response.headers['retry-after'],
    body: concatBytes(chunks),
  }
}

function readTls({ certificate, clientCertificate, clientKey }: TlsFiles, warn: (message: string) => void): https.AgentOptions {
  const read = (path: string | undefined) => {
    try {
      return path === undefined ? undefined : readFileSync(path)
    } catch (error) {
      warn(`cannot read file ${path}, ignoring it: ${error instanceof Error ? error.message : String(error)}`)
      return undefined
    }
  }
  const files = { ca: read(certificate), cert: read(clientCertificate), key: read(clientKey) }
  return Object.fromEntries(Object.entries(files).filter(([, content]) => content !== undefined))
}
