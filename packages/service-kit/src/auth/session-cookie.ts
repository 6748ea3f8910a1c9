/** Name of the cookie that carries the session of a browser. */
const name = 'heddle_session'

interface SessionCookie {
  /** Empty to remove the cookie. */
  token: string
  maxAgeSeconds: number
  /** Path below which a browser sends it, without a slash at the end; `''` is the root. */
  basePath: string
  /** True where the browser speaks HTTPS with the server, or with a proxy before it: then it never sends the cookie in the clear. */
  isSecure: boolean
}

/** The token in the session cookie of a request; undefined without one. */
export function readSessionCookie(headers: Pick<Headers, 'get'>): string | undefined {
  const pairs = (headers.get('cookie') ?? '').split(';').map((pair) => pair.trim())
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) || undefined
}

/** The value of `Set-Cookie` that hands a session to a browser. Scripts cannot read it, and requests that other sites cause do not carry it. */
export function writeSessionCookie({ token, maxAgeSeconds, basePath, isSecure }: SessionCookie): string {
  return `${name}=${token}; Path=${basePath || '/'}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}
