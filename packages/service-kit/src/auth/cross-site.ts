import { readSessionCookie } from './session-cookie.ts'
import { accepts } from '../request/media-type.ts'
import { nameOf } from '../request/server-name.ts'

/** Methods without side effects. */
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

interface SiteCheck {
  method: string
  headers: Pick<Headers, 'get'>
  /** Name and port under which the request addresses the server. */
  authority: string
  /** Further names of the server, in lower case, without port. */
  names: ReadonlySet<string> | undefined
}

/**
 * True if a browser sends a state-changing request for a page of another site. The page could not read the response, but the browser might attach a
 * credential that it stores for this server. Other clients send neither header and pass, unless they send a browser's session cookie: browsers always
 * name the site that a write originates from.
 */
export function isCrossSite({ method, headers, authority, names }: SiteCheck): boolean {
  if (safeMethods.has(method)) return false
  if (headers.get('sec-fetch-site') === 'cross-site') return true
  const origin = headers.get('origin')
  if (origin !== null) return !isOwn(origin, authority, names)
  return readSessionCookie(headers) !== undefined && headers.get('sec-fetch-site') !== 'same-origin'
}

function isOwn(origin: string, authority: string, names: ReadonlySet<string> | undefined): boolean {
  if (!/^https?:\/\//.test(origin) || !URL.canParse(origin)) return false
  const from = new URL(origin)
  const own = `${from.protocol}//${authority}`
  if (!URL.canParse(own)) return false
  const { host, port } = new URL(own)
  return from.host === host || (from.port === port && names !== undefined && names.has(nameOf(from.host)))
}

/** True for a request of a browser, which would show a login dialog for a Basic challenge. */
export function isFromBrowser(headers: Pick<Headers, 'get' | 'has'>): boolean {
  // Over plain HTTP a browser sends no Sec-Fetch headers, and with a GET no Origin.
  return headers.has('sec-fetch-mode') || headers.has('origin') || (headers.get('user-agent') ?? '').startsWith('Mozilla/')
}

/** True when a browser navigates to an address. */
export function isNavigation({ method, headers }: Pick<Request, 'method' | 'headers'>): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  // Over plain HTTP a browser sends no Sec-Fetch headers.
  if ((headers.get('sec-fetch-mode') ?? 'navigate') !== 'navigate') return false
  return accepts(headers, 'text/html')
}
