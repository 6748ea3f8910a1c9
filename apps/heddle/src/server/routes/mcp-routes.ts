import { hkdfSync } from 'node:crypto'
import { unauthenticated } from '@heddle/core-api/internal'
import { type Caller, isSessionToken } from '@heddle/identity'
import type { HttpHandler, McpCaller } from '@heddle/mcp-server'
import { type RawRoute, readCredential, type Service } from '@heddle/service-kit'
import type { ServerLog } from '../../log/server-log.ts'

const path = '/mcp'

export interface McpRoutesDeps {
  /** The service whose operations tools call, known once all routes are. */
  service: () => Service
  log: Pick<ServerLog, 'error'>
}

/** MCP routes, and how to end what they have in flight. */
export interface McpRoutes {
  routes: readonly RawRoute<Caller>[]
  close(): Promise<void>
}

/** Serves AI assistants: tools call the operations of this process, each with the key that the assistant sent. Loaded with the first request. */
export function mcpRoutes(deps: McpRoutesDeps): McpRoutes {
  let loading: Promise<HttpHandler> | undefined
  const handle = async (request: Request, caller: Caller) => {
    const known = toMcpCaller(request, caller)
    loading ??= loadHandler(deps)
    const handler = await loading
    return handler.fetch(request, { caller: known })
  }
  return {
    routes: (['POST', 'GET', 'DELETE'] as const).map((method) => ({ name: `mcp.${method.toLowerCase()}`, method, path, handle })),
    async close() {
      await (await loading)?.close()
    },
  }
}

async function loadHandler({ service, log }: McpRoutesDeps): Promise<HttpHandler> {
  const { createHttpHandler } = await import('@heddle/mcp-server')
  return createHttpHandler({
    // Requests stay in this process; the address only gives them a form.
    baseUrl: 'http://127.0.0.1',
    fetch: (input, init) => service().fetch(new Request(input, init)),
    toolsets: ['evals', 'traces', 'training', 'annotate'],
    withoutHeaders: { toolsets: ['evals', 'traces', 'training'], allowDestructive: false },
    allowWrites: true,
    allowDestructive: true,
    onCall({ tool, cause }) {
      if (cause !== undefined) log.error({ tool, err: cause }, 'MCP tool failed')
    },
    onError: (err) => log.error({ err }, 'MCP request failed'),
  })
}

/** @throws ApiError 401 for the session of a browser: tools act with a key that a person gave to an assistant */
function toMcpCaller({ headers }: Request, { keyId, access: { role, scopes, projects } }: Caller): McpCaller {
  const apiKey = readCredential(headers)
  if (apiKey === undefined || isSessionToken(apiKey)) throw unauthenticated()
  const held = [role, ...projects.map((project) => project.role)]
  const allows = (effect: 'write' | 'destroy') => scopes.length === 0 || scopes.includes(effect)
  // What the key may do in which project is for the operations to say; tools that none would allow are not listed.
  const allowWrites = allows('write') && held.some((one) => one === 'writer' || one === 'admin')
  const choice = { allowWrites, allowDestructive: allows('destroy') && held.includes('admin') }
  return { apiKey, id: keyId, choice, sealKey: sealKeyOf(apiKey) }
}

/** All servers over the same keys, and this one after a restart, read what the holder of the key was given. */
function sealKeyOf(apiKey: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', apiKey, '', 'heddle mcp', 32))
}
