import { badRequest } from '@heddle/core-api/internal'
import { type Caller, type Identity, isSessionToken, sessionMicros } from '@heddle/identity'
import { type FailedLogins, type RawRoute, readCredential, writeSessionCookie } from '@heddle/service-kit'

const path = '/session'
const noSession = { token: '', maxAgeSeconds: 0 }

/** Where a link is made, for the key of the request. */
const signInLinkPath = '/session/link'

export interface SessionRoutesDeps {
  identity: Pick<Identity, 'startSession' | 'endSession' | 'createSignInLink' | 'redeemSignInLink'>
  /** Throttles guessing of links, as of keys. */
  failedLogins: FailedLogins
  /** Path under which browsers see the server, without a slash at the end; `''` is the root. */
  basePath: string
}

/**
 * How a browser signs in and out: `POST` with an API key in the Authorization header starts a session and sets its cookie, `GET` says who
 * is signed in, `DELETE` ends the session. `POST /session/link` makes a link for the key, and `POST /session/link/redeem` signs in with one.
 */
export function sessionRoutes({ identity, failedLogins, basePath }: SessionRoutesDeps): readonly RawRoute<Caller>[] {
  const setCookie = (request: Request, session: { token: string; maxAgeSeconds: number }) =>
    writeSessionCookie({ ...session, basePath, isSecure: isSecure(request) })

  async function startSession(request: Request, caller: Caller): Promise<Response> {
    const { token } = await identity.startSession(caller)
    return answer(caller, setCookie(request, { token, maxAgeSeconds: sessionMicros / 1_000_000 }))
  }

  async function signIn(request: Request, caller: Caller): Promise<Response> {
    checkHasKey(request, 'a session requires an API key: send one in the Authorization header')
    return startSession(request, caller)
  }

  async function createLink(request: Request, caller: Caller): Promise<Response> {
    checkHasKey(request, 'a sign-in link requires an API key: send one in the Authorization header')
    const { token, expiresAt } = await identity.createSignInLink(caller)
    return Response.json({ token, expires_at: new Date(expiresAt / 1_000).toISOString() }, { headers: { 'cache-control': 'no-store' } })
  }

  async function redeemLink(request: Request, address: string): Promise<Response> {
    const token = parseToken(await request.text())
    return startSession(request, await failedLogins.attempt({ address, secret: token }, () => identity.redeemSignInLink(token)))
  }

  async function signOut(request: Request): Promise<Response> {
    const token = readCredential(request.headers)
    if (token !== undefined) await identity.endSession(token)
    return new Response(null, { status: 204, headers: { 'set-cookie': setCookie(request, noSession) } })
  }

  return [
    { name: 'session.start', method: 'POST', path, handle: signIn },
    { name: 'session.read', method: 'GET', path, handle: (_request, caller) => answer(caller) },
    { name: 'session.end', method: 'DELETE', path, open: true, handle: signOut },
    { name: 'session.link', method: 'POST', path: signInLinkPath, handle: createLink },
    { name: 'session.redeem', method: 'POST', path: `${signInLinkPath}/redeem`, open: true, handle: redeemLink },
  ]
}

/** A session starts neither another nor a link to one: it would outlive its seven days. */
function checkHasKey({ headers }: Request, reason: string): void {
  if (isSessionToken(readCredential(headers) ?? '')) throw badRequest(reason)
}

/** The token is in the body, since addresses appear in logs. */
function parseToken(text: string): string {
  const token = tokenIn(text)
  if (token === undefined) throw badRequest('the body must be a JSON object with "token", the text after # in the sign-in link')
  return token
}

function tokenIn(text: string): string | undefined {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'token' in body && typeof body.token === 'string' ? body.token : undefined
  } catch {
    return undefined
  }
}

function answer({ username, entity, access }: Caller, cookie?: string): Response {
  const { role, scopes, projects } = access
  return Response.json({ username, entity, role, scopes, projects }, cookie === undefined ? {} : { headers: { 'set-cookie': cookie } })
}

/** True where the browser uses HTTPS, also where a proxy before this server ends it. */
function isSecure(request: Request): boolean {
  return request.url.startsWith('https:') || request.headers.get('x-forwarded-proto') === 'https'
}
