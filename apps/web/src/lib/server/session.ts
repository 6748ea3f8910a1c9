import { requestIdHeader } from '@heddle/core-api/internal'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { addressOf } from './base-path.ts'

/** Who is signed in. */
export interface Session {
  username: string
  entity: string
}

/** Null if no user is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    const response = await fetch(addressOf('/session'), { signal })
    keepSignedIn(response.ok)
    if (response.status === 401) return null
    if (!response.ok) throw new Error(`the server answered ${response.status} when asked who is signed in`)
    return (await response.json()) as Session
  },
  staleTime: 60_000,
})

/** Set while this browser is signed in. Its cookie is not readable by scripts. */
const signedInKey = 'heddle.signed-in'

function keepSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) window.localStorage.setItem(signedInKey, 'yes')
    else window.localStorage.removeItem(signedInKey)
  } catch {
    // Without storage a page waits for its session.
  }
}

/**
 * Whether data may be requested that no page shows yet. Where this browser was signed in when a page was last opened it is not waited for the
 * session: if that has ended meanwhile, the request is refused and the page requires a key.
 */
export async function knownSession(queries: QueryClient): Promise<boolean> {
  return wasSignedIn() || (await queries.fetchQuery(sessionQuery)) !== null
}

function wasSignedIn(): boolean {
  try {
    return window.localStorage.getItem(signedInKey) !== null
  } catch {
    return false
  }
}

/** @throws Error with the reason why the key was not accepted */
export async function signIn(key: string): Promise<void> {
  const response = await fetch(addressOf('/session'), { method: 'POST', headers: { authorization: `Bearer ${key}` } })
  if (response.status === 401) throw new Error('The server does not know this key. To list its keys, run heddle keys list.')
  if (!response.ok) throw await refusal(response)
}

/** Ends the session of this browser. @throws Error with the server's answer */
export async function signOut(): Promise<void> {
  const response = await fetch(addressOf('/session'), { method: 'DELETE' })
  if (!response.ok) throw await refusal(response)
}

/**
 * Signs in with the token of a link, which works once.
 * @throws Error that explains how to get another link
 */
export async function redeemSignInLink(token: string): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(addressOf('/session/link/redeem'), { method: 'POST', headers, body: JSON.stringify({ token }) })
  if (response.ok) return
  if (response.status === 401)
    throw new Error(
      'This link was used before, or is older than ten minutes. To get another, run heddle sign-in-link; an API key works too.',
    )
  throw await refusal(response)
}

/** An unexpected answer, with the id by which the operator finds its request in the log. */
async function refusal(response: Response): Promise<Error> {
  const id = response.headers.get(requestIdHeader)
  const text = `The server answered ${response.status}: ${(await response.text()).slice(0, 500)}`
  return new Error(id === null ? text : `${text} (request ID ${id})`)
}
