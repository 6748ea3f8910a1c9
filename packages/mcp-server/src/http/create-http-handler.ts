import { requestIdHeader } from '@heddle/core-api/internal'
import {
  createMcpHandler,
  localhostAllowedHostnames,
  type McpRequestContext,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import type { McpCaller } from '../connection/caller.ts'
import { connectServices } from '../connection/connect-services.ts'
import { createServerFactory } from '../server/create-server.ts'
import { createListenStreams, isListen } from './listen-over-http.ts'
import { createCallerLimits } from './caller-limits.ts'
import { createKeyCheck } from './check-key.ts'
import type { HttpHandler, HttpOptions } from './http-options.ts'
import { jsonError } from './json-error.ts'
import { readChoice } from './narrow-choice.ts'
import { readExactly } from './read-exactly.ts'
import { metadataPath, protectedResourceMetadata } from './protected-resource.ts'

const maxBodyBytes = 2 ** 20
const keepAliveMs = 15_000

/**
 * Serves MCP over streamable HTTP. Host, Origin, credential and rate of a request are checked before anything of its body is read.
 * A program that has authenticated the caller itself passes it along, and Host and credential are then its own business.
 */
export function createHttpHandler(options: HttpOptions): HttpHandler {
  const createServer = createServerFactory(options)
  const checkAddress = createAddressCheck(options)
  const checkKey = createKeyCheck(options)
  const limits = createCallerLimits(options)
  const callers = new WeakMap<object, McpCaller>()
  const callerOf = ({ authInfo }: McpRequestContext) => (authInfo && callers.get(authInfo)) ?? {}
  // An older client would need a connection that lasts.
  const create = (context: McpRequestContext) => createServer(callerOf(context), { takesSubscriptions: context.era === 'modern' })
  const handler = createMcpHandler(create, { maxRequestBodySize: maxBodyBytes, keepAliveMs })
  const streams = createListenStreams({ createServer: create, keepAliveMs, watchEveryMs: options.watchEveryMs })

  async function answer(request: Request, known: McpCaller | undefined): Promise<Response> {
    const refused = known === undefined ? checkAddress(request) : undefined
    if (refused) return refused
    if (options.auth?.mode === 'oauth' && isMetadataRequest(request)) return protectedResourceMetadata(options.auth)
    const caller = known ?? (await checkKey(request))
    if (caller instanceof Response) return caller
    const id = caller.id ?? ''
    const tooMany = limits.admit(id)
    if (tooMany) return tooMany
    const wanted = readChoice(request.headers, { ...options, ...caller.choice }, options.withoutHeaders)
    // The caller's key is hidden from handlers of the protocol.
    const authInfo = { token: '', clientId: id, scopes: [] }
    callers.set(authInfo, { ...caller, ...(wanted && { wanted }) })
    if (!isListen(request)) {
      const { whole, parsedBody } = await readExactly(request, maxBodyBytes)
      return limits.track(id, await handler.fetch(whole, { authInfo, ...(parsedBody !== undefined && { parsedBody }) }))
    }
    return limits.track(id, await streams.serve({ request, services: connectServices(options, caller), authInfo }))
  }

  return {
    async fetch(request, { caller } = {}) {
      try {
        return await answer(request, caller)
      } catch (error) {
        const requestId = request.headers.get(requestIdHeader)
        options.onError?.(error, requestId === null ? {} : { requestId })
        return jsonError(500, 'the MCP server failed')
      }
    },
    async close() {
      await Promise.all([handler.close(), streams.close()])
    },
  }
}

function isMetadataRequest({ method, url }: Request): boolean {
  return method === 'GET' && new URL(url).pathname.startsWith(metadataPath)
}

/**
 * Refuses requests for a host name that is not ours, as after DNS rebinding, and those from pages of other origins. Undefined for a permitted
 * request.
 */
function createAddressCheck({
  allowedHosts = localhostAllowedHostnames(),
  allowedOrigins = allowedHosts,
}: HttpOptions): (request: Request) => Response | undefined {
  return ({ headers, url }) => {
    const host = validateHostHeader(headers.get('host') ?? new URL(url).host, [...allowedHosts])
    if (!host.ok) return jsonError(403, 'this host is not served here; --allowed-hosts names those that are')
    const origin = validateOriginHeader(headers.get('origin'), [...allowedOrigins])
    return origin.ok ? undefined : jsonError(403, 'pages of this origin may not call this server')
  }
}
