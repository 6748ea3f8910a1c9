import { type Context as HonoContext, Hono, type HonoRequest } from 'hono'
import { getPath } from 'hono/utils/url'
import { startAccess } from '../http/access-log.ts'
import type { RequestStats } from '../http/request-stats.ts'
import { isNavigation } from '../auth/cross-site.ts'
import type { Endpoint, Exchange, MountedService } from './endpoint.ts'
import { errorResponse, noSuchMethod, noSuchPath, type ServiceLog } from '../response/error-body.ts'
import { requestIdField } from '../response/request-id.ts'
import type { NodeBindings, Service } from '../http/service.ts'
import { asyncOnce } from '../async-once.ts'
import { toRoutes } from './routes.ts'

type Env = { Bindings: NodeBindings }

/** Services whose code and state a server does not need before their first request. */
export interface LaterServices {
  /** Only for paths that begin with one of these, such as `/v1/`. Default: for all. */
  prefixes?: readonly string[]
  /** Opens them; called again only after it rejected. The requests that waited get 500, with the reason in the log. */
  open: () => Promise<readonly MountedService[]>
}

export interface ServiceOptions {
  /** Access log of requests without an endpoint. */
  log?: ServiceLog
  /** Counts these requests. Default: they are not counted. */
  requests?: RequestStats
  /** Milliseconds of a monotonic clock. Default: the process's own. */
  nowMs?: () => number
  /** Services that are opened for the first request whose path none of the others has, in this order. Default: none. */
  later?: readonly LaterServices[]
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
      if (!endpoint) return refuse(c, noSuchMethod([...byMethod.keys()], unservedBody(services, c, [...byMethod.keys()])))
      return endpoint(exchangeOf(c))
    })
  }
  const later = (options.later ?? []).map((each) => ({ ...each, open: asyncOnce(each.open) }))
  const laterServices = later.map(({ open }, at) =>
    asyncOnce(async () => serviceOf(await open(), { ...options, later: later.slice(at + 1) })),
  )
  app.notFound(async (c) => {
    const page = findPage(services, c.req)
    if (page) return page(exchangeOf(c))
    // A page may be below such a prefix.
    const body = isNavigation(c.req.raw) ? undefined : unservedBody(services, c)
    if (body) return refuse(c, noSuchPath(body))
    const at = later.findIndex(({ prefixes }) => isBelow(c.req.path, prefixes))
    if (at < 0) return refuse(c, noSuchPath())
    try {
      const service = await laterServices[at]!()
      return await service.fetch(c.req.raw, c.env)
    } catch (error) {
      return refuse(c, errorResponse(error, { operation: 'openServices', request: c.req.raw, outgoing: c.env.outgoing, log }))
    }
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

/** What the service of the path's prefix answers where no endpoint does; undefined if no service says. */
function unservedBody(services: readonly MountedService[], { req, env }: HonoContext<Env>, allowed: readonly string[] = []) {
  const { method, path } = req
  const bodies = services.map(({ unserved }) => unserved).find((unserved) => unserved && isBelow(path, unserved.prefixes))
  return bodies?.body({ method, path, headers: req.raw.headers, allowed, ...requestIdField(env.outgoing) })
}

/** Whether the path begins with one of the prefixes, if there are any, however many slashes it has in a place. */
function isBelow(path: string, prefixes: readonly string[] | undefined): boolean {
  const collapsed = path.replace(/\/{2,}/g, '/')
  return prefixes?.some((prefix) => collapsed.startsWith(prefix)) ?? true
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
