import { localhostAllowedHostnames, validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { HttpOptions } from './http-options.ts'
import { jsonError } from './json-error.ts'

/**
 * Refuses requests for a name that is not ours, as after DNS rebinding, and those of pages of others. Undefined for one that may pass.
 */
export function createAddressCheck({
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
