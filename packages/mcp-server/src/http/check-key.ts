import { createHash, timingSafeEqual } from 'node:crypto'
import { isApiError, tracing } from '@heddle/core-api'
import { createClient } from '@heddle/core-api/client'
import type { McpCaller } from '../server/caller.ts'
import type { HttpOptions } from './http-options.ts'
import { jsonError } from './json-error.ts'

const goodForMs = 60_000
const maxKept = 10_000

/** Who sends a request, or the response that refuses it. */
export type CheckKey = (request: Request) => Promise<McpCaller | Response>

/** Checks the credential of requests: a key with the service, which is asked once a minute, or a token by comparison. */
export function createKeyCheck(options: HttpOptions): CheckKey {
  const { auth = { mode: 'passthrough' } } = options
  return auth.mode === 'static' ? checkToken(auth.token) : checkWithService(options)
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
  return async ({ headers, signal }) => {
    const apiKey = readCredential(headers)
    if (apiKey === undefined) return refused(apiKey)
    const id = hashOf(apiKey).toString('base64url')
    if ((goodUntil.get(id) ?? 0) > now()) return { apiKey, id }
    goodUntil.delete(id)
    const client = createClient({ baseUrl, contract: tracing, apiKey, retries: 1, timeoutMs: 10_000, ...(fetch && { fetch }) })
    try {
      await client.service.projectsInfo({ project_ids: [] }, { signal })
    } catch (error) {
      if (!isApiError(error)) throw error
      // A key that may not do this is one all the same.
      if (error.status === 401) return refused(apiKey)
      if (error.status !== 403) return jsonError(503, 'the service that checks keys cannot be reached', { 'retry-after': '5' })
    }
    if (goodUntil.size >= maxKept) goodUntil.delete(goodUntil.keys().next().value ?? '')
    goodUntil.set(id, now() + goodForMs)
    return { apiKey, id }
  }
}

/** The secret of `Bearer <key>` or of `Basic <user:key>`. */
export function readCredential(headers: Headers): string | undefined {
  const [scheme = '', value = ''] = (headers.get('authorization') ?? '').split(' ')
  if (scheme.toLowerCase() === 'bearer') return value || undefined
  if (scheme.toLowerCase() !== 'basic') return undefined
  const text = Buffer.from(value, 'base64').toString()
  return text.slice(text.indexOf(':') + 1) || undefined
}

function refused(given: string | undefined): Response {
  const error = given === undefined ? '' : ', error="invalid_token"'
  const message = given === undefined ? 'send an API key in the Authorization header, as Bearer' : 'the API key was refused'
  return jsonError(401, message, { 'www-authenticate': `Bearer realm="heddle"${error}` })
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
