import { createServer, type Http2Server, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import { type ConnectionLimits, defaultConnectionLimits } from '../http/connection-limits.ts'
import { listen } from '../http/listen.ts'
import { watchConnections } from '../http/watch-connections.ts'
import type { Service } from '../http/service.ts'
import { FrameError, type IncomingMessageFrame, readMessage, toFrame } from './grpc-message.ts'
import { grpcCodes, type GrpcStatus, statusOf, trailersOf } from './grpc-status.ts'

export interface GrpcServerOptions extends Service {
  /** Address to listen on. */
  host: string
  /** 0 takes a free one. */
  port: number
  /** For each method of gRPC, such as `/opentelemetry.…/Export`, the path that takes its message as the body of a POST. */
  methods: ReadonlyMap<string, string>
  limits?: Partial<ConnectionLimits>
}

export interface GrpcServer {
  host: string
  port: number
  /** Connections that were refused because of a limit. */
  readonly refusedConnections: number
  /** Takes no further calls, lets those in progress finish within the drain limit, cuts the rest. Safe to call again. */
  close(): Promise<void>
}

/** Calls of a connection at the same time, and bytes that a call may send before they are read. */
const streamLimits = { maxConcurrentStreams: 100, initialWindowSize: 256 * 1024 }
/** Megabytes of a connection, without what the body budget counts. */
const sessionMegabytes = 32
/** A connection without a call is closed after this time. */
const idleMs = 300_000
/** Headers of a call that its request over HTTP gets. */
const passedHeaders = ['authorization', 'wandb-api-key', 'project_id', 'project-id', 'wb_run_id', 'x-request-id', 'user-agent'] as const

/**
 * Unary calls of gRPC over HTTP/2 without TLS, each as the POST that its method is: with the same credentials, limits, body budget and metrics. Resolves when
 * the port is open. @throws Error of the system when it cannot be opened
 */
export async function serveGrpc(options: GrpcServerOptions): Promise<GrpcServer> {
  const limits = { ...defaultConnectionLimits, ...options.limits }
  const sessions = new Set<ServerHttp2Session>()
  let draining = false
  const server = createServer({ settings: streamLimits, maxSessionMemory: sessionMegabytes })
  server.on('session', (session) => {
    sessions.add(session)
    session.once('close', () => sessions.delete(session))
    session.setTimeout(idleMs, () => session.close())
    if (draining) session.close()
  })
  // A connection that breaks, or does not speak HTTP/2, is closed by Node.
  server.on('sessionError', () => undefined)
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined)
    if (draining) return refuse(stream, { code: grpcCodes.unavailable, message: 'shutting down', retryAfterSeconds: 1 })
    void answer(stream, headers, { ...options, limits }).catch(() => stream.destroy())
  })
  const connections = watchConnections(server, limits)
  const { address, port } = await listen(server, options)
  let closed: Promise<void> | undefined
  return {
    host: address,
    port,
    get refusedConnections() {
      return connections.refused
    },
    close() {
      draining = true
      return (closed ??= drain(server, sessions, limits.drainMs))
    },
  }
}

async function answer(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  { methods, fetch, limits }: GrpcServerOptions & { limits: ConnectionLimits },
): Promise<void> {
  const path = methods.get(headers[':path'] ?? '')
  if (headers[':method'] !== 'POST' || !/^application\/grpc(?:\+proto)?(?:;|$)/.test(headers['content-type'] ?? ''))
    return refuse(stream, { code: grpcCodes.unimplemented, message: 'expected a POST of application/grpc' })
  if (path === undefined)
    return refuse(stream, {
      code: grpcCodes.unimplemented,
      message: `unknown method ${headers[':path']}; expected ${[...methods.keys()].join(' or ')}`,
    })
  const ended = new AbortController()
  const timeout = setTimeout(
    () => {
      refuse(stream, expired)
      ended.abort()
    },
    timeoutMs(headers, limits.requestMs),
  )
  stream.once('close', () => ended.abort())
  try {
    const message = await readMessage(stream)
    const request = toRequest(path, headers, message, ended.signal)
    const response = await fetch(request, { address: stream.session?.socket?.remoteAddress ?? '' })
    const failure = message.failure()
    if (failure !== undefined) throw failure
    if (response.status === 200) respond(stream, new Uint8Array(await response.arrayBuffer()))
    else refuse(stream, await statusOf(response))
  } catch (error) {
    if (error instanceof FrameError) return refuse(stream, { code: grpcCodes.invalid_argument, message: error.message })
    refuse(stream, { code: grpcCodes.internal, message: 'Internal server error' })
  } finally {
    clearTimeout(timeout)
  }
}

const expired: GrpcStatus = { code: grpcCodes.deadline_exceeded, message: 'the call took longer than its time limit' }

function toRequest(
  path: string,
  headers: IncomingHttpHeaders,
  { isCompressed, length, body }: IncomingMessageFrame,
  signal: AbortSignal,
): Request {
  const encoding = headers['grpc-encoding']
  if (isCompressed && (typeof encoding !== 'string' || encoding === 'identity'))
    throw new FrameError('the message is compressed, and the header grpc-encoding does not say how')
  const passed = passedHeaders.flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' ? [[name, value] as [string, string]] : []
  })
  const described = [
    ['content-type', 'application/x-protobuf'],
    ['content-length', String(length)],
    ...(isCompressed ? [['content-encoding', String(encoding)]] : []),
  ] as [string, string][]
  const init = { method: 'POST', headers: [...passed, ...described], body, signal, duplex: 'half' as const }
  return new Request(`http://grpc.invalid${path}`, init)
}

/** Milliseconds of the header `grpc-timeout`, such as `10S`, up to the most that a call may take. */
function timeoutMs(headers: IncomingHttpHeaders, most: number): number {
  const [, value = '', unit = ''] = /^(\d{1,8})([HMSmun])$/.exec(String(headers['grpc-timeout'] ?? '')) ?? []
  const unitMs = { H: 3_600_000, M: 60_000, S: 1_000, m: 1, u: 0.001, n: 0.000_001 }[unit]
  return unitMs === undefined ? most : Math.min(Math.ceil(Number(value) * unitMs), most)
}

const responseHeaders = { ':status': 200, 'content-type': 'application/grpc', 'grpc-accept-encoding': 'identity,gzip,zstd' }

const isAnswered = (stream: ServerHttp2Stream) => stream.headersSent || stream.closed || stream.destroyed

function respond(stream: ServerHttp2Stream, message: Uint8Array): void {
  if (isAnswered(stream)) return
  stream.respond(responseHeaders, { waitForTrailers: true })
  stream.once('wantTrailers', () => stream.sendTrailers(trailersOf({ code: grpcCodes.ok, message: '' })))
  stream.end(toFrame(message))
}

/** A status without a message. What the client still sends is not read: the stream is closed. */
function refuse(stream: ServerHttp2Stream, status: GrpcStatus): void {
  if (isAnswered(stream)) return
  stream.respond({ ...responseHeaders, ...trailersOf(status) }, { endStream: true })
  stream.close()
}

function drain(server: Http2Server, sessions: ReadonlySet<ServerHttp2Session>, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => sessions.forEach((session) => session.destroy()), drainMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    for (const session of sessions) session.close()
  })
}
