import { type Context as HonoContext, Hono, type HonoRequest } from 'hono'
import { getPath } from 'hono/utils/url'
import { startAccess } from '../http/access-log.ts'
import type { RequestStats } from '../http/request-stats.ts'
import { isNavigation } from '../auth/cross-site.ts'
import type { Endpoint, Exchange, MountedService } from './endpoint.ts'
import { noSuchMethod, noSuchPath, type ServiceLog } from '../response/error-body.ts'
import type { NodeBindings, Service } from '../http/service.ts'
import { toRoutes } from './routes.ts'

type Env = { Bindings: NodeBindings }

export interface ServiceOptions {
  /** Access log of requests without an endpoint. */
  log?: ServiceLog
  /** Counts these requests. Default: they are not counted. */
  requests?: RequestStats
  /** Milliseconds of a monotonic clock. Default: the process's own. */
  nowMs?: () => number
}

/**
 * Combines several services, which share the paths of the result.
 * @throws Error immediately when two endpoints share method and path, or two paths differ only in the names of their parameters
 */
export function serviceOf(services: readonly MountedService[], options: ServiceOptions = {}): Service {
  const { log, requests, nowMs = () => performance.now() } = options
  const loosePrefixes = services.flatMap(({ looseSlashes = [] }) => looseSlashes)
  const app = new Hono<Env>({ getPath: (request) => pathOf(request, loosePrefixes) })
  for (const { pattern, byMethod } of toRoutes(services.flatMap(({ endpoints }) => endpoints))) {
    app.all(pattern, (c) => {
      const endpoint = byMethod.get(c.req.method)
      if (!endpoint) return refuse(c, noSuchMethod([...byMethod.keys()]))
      return endpoint(exchangeOf(c))
    })
  }
  app.notFound((c) => {
    const page = findPage(services, c.req)
    return page ? page(exchangeOf(c)) : refuse(c, noSuchPath())
  })

  function refuse(c: HonoContext<Env>, response: Response): Response {
    startAccess({
      method: c.req.method,
      operation: null,
      headers: c.req.raw.headers,
      outgoing: c.env.outgoing,
      log,
      requests,
      nowMs,
    }).finish(response.status)
    return response
  }

  return { fetch: async (request, bindings = {}) => app.fetch(request, bindings) }
}

/** Below the given prefixes, several slashes count as one: some clients join an address and a path with one too many. */
function pathOf(request: Request, loosePrefixes: readonly string[]): string {
  const path = getPath(request)
  if (!path.includes('//')) return path
  const collapsed = path.replace(/\/{2,}/g, '/')
  return loosePrefixes.some((prefix) => collapsed.startsWith(prefix)) ? collapsed : path
}

function exchangeOf({ req, env: { incoming, outgoing, address } }: HonoContext<Env>): Exchange {
  return { request: req.raw, incoming, outgoing, address: incoming?.socket.remoteAddress ?? address ?? '', params: req.param() }
}

/** The page of the first service under one of whose prefixes a browser opens a path. */
function findPage(services: readonly MountedService[], { raw, path }: HonoRequest): Endpoint | undefined {
  if (!isNavigation(raw)) return undefined
  const isBelow = (prefix: string) => path === prefix || path.startsWith(`${prefix}/`)
  return services.find(({ page }) => page?.prefixes.some(isBelow))?.page?.endpoint
}
