import { createHash, timingSafeEqual } from 'node:crypto'
import { isApiError, tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import { withoutRedirects } from '../connection/connect-services.ts'
import type { HttpOptions, OAuthSettings } from './http-options.ts'
import type { CheckKey } from './identify-caller.ts'
import { jsonError } from './json-error.ts'
import { readCredential } from './read-credential.ts'

const goodForMs = 60_000
const maxKept = 10_000

/** Checks the credential of requests: a key with the service, at most once a minute, or a token by comparison. */
export function createKeyCheck(options: HttpOptions): CheckKey {
  const { auth = { mode: 'passthrough' } } = options
  if (auth.mode === 'oauth') return checkAccessToken(auth, options)
  return auth.mode === 'static' ? checkToken(auth.token) : checkWithService(options)
}

/** Loaded with the first request. */
function checkAccessToken(settings: OAuthSettings, options: HttpOptions): CheckKey {
  let loading: Promise<CheckKey> | undefined
  return async (request) => {
    loading ??= import('./check-access-token.ts').then(({ createAccessTokenCheck }) => createAccessTokenCheck(settings, options))
    return (await loading)(request)
  }
}

function checkToken(token: string): CheckKey {
  const wanted = hashOf(token)
  return async ({ headers }) => {
    const given = readCredential(headers)
    return given !== undefined && timingSafeEqual(hashOf(given), wanted) ? { id: 'token' } : refused(given)
  }
}

function checkWithService({ baseUrl, fetch, now = Date.now }: HttpOptions): CheckKey {
  const goodUntil = new Map<string, number>()
  const send = withoutRedirects(fetch)
  return async ({ headers, signal }) => {
    const apiKey = readCredential(headers)
    if (apiKey === undefined) return refused(apiKey)
    const id = hashOf(apiKey).toString('base64url')
    if ((goodUntil.get(id) ?? 0) > now()) return { apiKey, id }
    goodUntil.delete(id)
    const client = createClient({ baseUrl, contract: tracing, apiKey, retries: 1, timeoutMs: 10_000, fetch: send })
    try {
      await client.service.projectsInfo({ project_ids: [] }, { signal })
    } catch (error) {
      if (!isApiError(error)) throw error
      // A key without this right is a valid key.
      if (error.status === 401) return refused(apiKey)
      if (error.status !== 403) return jsonError(503, 'the service that checks keys cannot be reached', { 'retry-after': '5' })
    }
    if (goodUntil.size >= maxKept) goodUntil.delete(goodUntil.keys().next().value ?? '')
    goodUntil.set(id, now() + goodForMs)
    return { apiKey, id }
  }
}

function refused(given: string | undefined): Response {
  const error = given === undefined ? '' : ', error="invalid_token"'
  const message = given === undefined ? 'send an API key in the Authorization header, as Bearer' : 'the API key was refused'
  return jsonError(401, message, { 'www-authenticate': `Bearer realm="heddle"${error}` })
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
