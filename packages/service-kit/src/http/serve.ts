import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { ApiError } from '@heddle/core-api'
import { forbidden, requestIdHeader, requestIdOr, unavailable } from '@heddle/core-api/internal'
import { getRequestListener } from '@hono/node-server'
import type { Admission } from '../admission/admission.ts'
import { answerUnreadable } from './answer-unreadable.ts'
import { withoutBasePath } from './base-path.ts'
import { type ConnectionLimits, defaultConnectionLimits } from './connection-limits.ts'
import { isCrossSite } from '../auth/cross-site.ts'
import { errorResponse } from '../response/error-body.ts'
import { closeWhenStalled, discardUnread, keepForLateRequest } from './finish-exchange.ts'
import { listen } from './listen.ts'
import type { Service } from './service.ts'
import { nameOf, readAuthority } from '../request/server-name.ts'
import { type Connections, watchConnections } from './watch-connections.ts'

export interface ServeOptions extends Service {
  /** Address to listen on. */
  host: string
  /** 0 takes a free one. */
  port: number
  /** Path under which browsers see this server, such as `/heddle`. Requests are answered with it and without. Default `''`: the root. */
  basePath?: string
  /** Names that requests may use for this server, without port. Absent: any one. Keeps other web sites from reaching a local server by a name of theirs. */
  hosts?: readonly string[]
  limits?: Partial<ConnectionLimits>
  /** Paths that are answered until the last connection is closed, such as probes. Default: all get 503 once the server is closing. */
  pathsWhileClosing?: readonly string[]
  /** Called for each request that is refused before it is a request of any service: by a wrong name of the server, by a page of another site, or while closing. */
  onRefused?: (reason: EarlyRefusal) => void
  /** Is notified of new connections, and leaves event-loop ticks for accepting them. */
  admission?: Pick<Admission, 'ticks'>
}

/** Why a request reaches no service. */
export type EarlyRefusal = 'wrong_host' | 'cross_site' | 'shutting_down'

export interface RunningServer {
  host: string
  port: number
  /** Base address with the base path, without a slash at the end. */
  url: string
  /** Connections that were refused because of a limit. */
  readonly refusedConnections: number
  /** Stops accepting, lets requests in progress finish within the drain limit, cuts the rest. Safe to call again. */
  close(): Promise<void>
}

const securityHeaders: readonly [string, string][] = [
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'DENY'],
  ['Referrer-Policy', 'no-referrer'],
]

/** Listens for requests. Resolves when the port is open. @throws Error of the system when it cannot be opened */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const limits = { ...defaultConnectionLimits, ...options.limits }
  const { basePath = '' } = options
  let draining = false
  const guarded = guard(options, () => draining)
  const listener = getRequestListener(
    (request, bindings) => guarded(request, bindings as { incoming: IncomingMessage; outgoing: ServerResponse }),
    {
      autoCleanupIncoming: false,
    },
  )
  const server = createServer(
    {
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkMs,
    },
    (incoming, outgoing) => {
      if (basePath !== '') incoming.url = withoutBasePath(incoming.url ?? '', basePath)
      for (const [name, value] of securityHeaders) outgoing.setHeader(name, value)
      outgoing.setHeader(requestIdHeader, requestIdOr(incoming.headers[requestIdHeader]))
      discardUnread(incoming, outgoing)
      closeWhenStalled(outgoing, limits.stallMs)
      keepForLateRequest(incoming, outgoing, limits)
      outgoing.once('close', () => draining && server.closeIdleConnections())
      void listener(incoming, outgoing)
    },
  )
  server.on('connection', () => options.admission?.ticks.noteConnection())
  answerUnreadable(server)
  const connections = watchConnections(server, limits)
  const { address, port } = await listen(server, options)
  let closed: Promise<void> | undefined
  return {
    host: address,
    port,
    url: `http://${address.includes(':') ? `[${address}]` : address}:${port}${basePath}`,
    get refusedConnections() {
      return connections.refused
    },
    close() {
      draining = true
      return (closed ??= drain(server, connections, limits.drainMs))
    },
  }
}

type GuardedFetch = (request: Request, bindings: { incoming: IncomingMessage; outgoing: ServerResponse }) => Promise<Response>

function guard({ fetch, hosts, pathsWhileClosing = [], onRefused }: ServeOptions, isDraining: () => boolean): GuardedFetch {
  const names = hosts && new Set(hosts.map((host) => host.toLowerCase()))
  const answer: GuardedFetch = async (request, bindings) => {
    const authority = readAuthority(bindings.incoming)
    if (authority === undefined || (names && !names.has(nameOf(authority)))) {
      onRefused?.('wrong_host')
      return misnamed(bindings.outgoing)
    }
    if (isCrossSite({ method: request.method, headers: request.headers, authority, names })) {
      onRefused?.('cross_site')
      return refuse(request, crossSite())
    }
    if (isDraining() && !pathsWhileClosing.includes(new URL(request.url).pathname)) {
      onRefused?.('shutting_down')
      return refuse(request, unavailable('shutting down', 1))
    }
    return fetch(request, bindings)
  }
  return async (request, bindings) => {
    const response = await answer(request, bindings)
    if (isDraining() && !bindings.outgoing.headersSent) bindings.outgoing.setHeader('Connection', 'close')
    return response
  }
}

function refuse(request: Request, error: ApiError): Response {
  return errorResponse(error, { operation: 'serve', request, outgoing: undefined, log: undefined })
}

function crossSite(): ApiError {
  return forbidden('a web page of another site may not send this request; send it from a page of this server, or without a browser')
}

function misnamed(outgoing: ServerResponse): Response {
  // Further data on the connection may have been meant for another server.
  outgoing.setHeader('Connection', 'close')
  return new Response('{"detail":"Invalid host header"}', { status: 400, headers: { 'content-type': 'application/json' } })
}

function drain(server: Server, connections: Connections, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
    connections.closeSilent()
  })
}
