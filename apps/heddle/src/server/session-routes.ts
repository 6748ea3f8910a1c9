import { badRequest } from '@heddle/core-api/internal'
import { type Caller, type Identity, isSessionToken, sessionMicros } from '@heddle/identity'
import { type RawRoute, readCredential, writeSessionCookie } from '@heddle/service-kit'

const path = '/session'
const noSession = { token: '', maxAgeSeconds: 0 }

/**
 * How a browser signs in and out: `POST` with an API key in the Authorization header starts a session and sets its cookie, `GET` says who
 * is signed in, `DELETE` ends the session.
 */
export function sessionRoutes(identity: Pick<Identity, 'startSession' | 'endSession'>): readonly RawRoute<Caller>[] {
  async function signIn(request: Request, caller: Caller): Promise<Response> {
    if (isSessionToken(readCredential(request.headers) ?? '')) {
      throw badRequest('a session requires an API key: send one in the Authorization header')
    }
    const { token } = await identity.startSession(caller)
    return answer(caller, writeSessionCookie({ token, maxAgeSeconds: sessionMicros / 1_000_000, isSecure: isSecure(request) }))
  }

  async function signOut(request: Request): Promise<Response> {
    const token = readCredential(request.headers)
    if (token !== undefined) await identity.endSession(token)
    return new Response(null, { status: 204, headers: { 'set-cookie': writeSessionCookie({ ...noSession, isSecure: isSecure(request) }) } })
  }

  return [
    { name: 'session.start', method: 'POST', path, handle: signIn },
    { name: 'session.read', method: 'GET', path, handle: (_request, caller) => answer(caller) },
    { name: 'session.end', method: 'DELETE', path, open: true, handle: signOut },
  ]
}

function answer({ username, entity, access }: Caller, cookie?: string): Response {
  const { role, scopes, projects } = access
  return Response.json({ username, entity, role, scopes, projects }, cookie === undefined ? {} : { headers: { 'set-cookie': cookie } })
}

/** True where the browser uses HTTPS, also where a proxy before this server ends it. */
function isSecure(request: Request): boolean {
  return request.url.startsWith('https:') || request.headers.get('x-forwarded-proto') === 'https'
}
