import { createHash } from 'node:crypto'
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from 'jose'
import type { McpCaller } from '../connection/caller.ts'
import type { ToolChoice } from '../connection/server-options.ts'
import type { Toolset } from '../tools/toolset.ts'
import type { CheckKey } from './identify-caller.ts'
import { readCredential } from './read-credential.ts'
import type { HttpOptions, OAuthSettings } from './http-options.ts'
import { jsonError } from './json-error.ts'
import { metadataPath, type Scope, scopes } from './protected-resource.ts'

const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const clockToleranceSeconds = 30
const keysTimeoutMs = 5_000

/** Checks access tokens of an authorization server: signature, issuer, audience, time and scopes. */
export function createAccessTokenCheck(settings: OAuthSettings, { fetch }: Pick<HttpOptions, 'fetch'>): CheckKey {
  const keys = createRemoteJWKSet(new URL(settings.jwksUri), {
    timeoutDuration: keysTimeoutMs,
    ...(fetch && { [customFetch]: fetch }),
  })
  const challenge = challengeOf(settings)
  return async ({ headers }) => {
    const token = readCredential(headers)
    if (token === undefined) return jsonError(401, 'send an access token in the Authorization header, as Bearer', challenge())
    let payload: JWTPayload
    try {
      const wanted = {
        issuer: settings.issuer,
        audience: settings.resource,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'sub'],
      }
      payload = (await jwtVerify(token, keys, wanted)).payload
    } catch (error) {
      if (isUnreachable(error)) return jsonError(503, 'the keys of the authorization server cannot be read', { 'retry-after': '5' })
      return jsonError(401, 'the access token was refused', challenge('invalid_token'))
    }
    const held = scopesOf(payload)
    if (held.length === 0)
      return jsonError(403, `the access token has none of the scopes ${scopes.join(', ')}`, challenge('insufficient_scope'))
    return { id: callerId(payload), choice: choiceOf(held) } satisfies McpCaller
  }
}

function challengeOf({ resource }: OAuthSettings) {
  const { origin, pathname } = new URL(resource)
  const metadata = `${origin}${metadataPath}${pathname === '/' ? '' : pathname}`
  return (error?: 'invalid_token' | 'insufficient_scope') => ({
    'www-authenticate': [
      'Bearer realm="heddle"',
      ...(error === undefined ? [] : [`error="${error}"`]),
      `scope="${scopes.join(' ')}"`,
      `resource_metadata="${metadata}"`,
    ].join(', '),
  })
}

/** A token that is bad is the fault of the caller; everything else is that of the network or of the authorization server. */
function isUnreachable(error: unknown): boolean {
  return (
    !(error instanceof errors.JOSEError) ||
    error instanceof errors.JWKSTimeout ||
    error instanceof errors.JWKSInvalid ||
    error.code === 'ERR_JOSE_GENERIC'
  )
}

/** In `scope` as one text (RFC 9068), or in `scp` as a list or a text. */
function scopesOf({ scope, scp }: JWTPayload): Scope[] {
  const texts = [scope, scp].flat().filter((one) => typeof one === 'string')
  const held = new Set(texts.flatMap((text) => text.split(' ')))
  return scopes.filter((one) => held.has(one))
}

function callerId({ iss = '', sub = '' }: JWTPayload): string {
  return createHash('sha256').update(`${iss} ${sub}`).digest('base64url')
}

/** The tools that scopes allow. `admin` allows all, and only `admin` allows those that delete. */
function choiceOf(held: readonly Scope[]): ToolChoice {
  const has = (scope: Scope) => held.includes(scope) || held.includes('admin')
  const allowWrites = has('training:write')
  const toolsets: Toolset[] = []
  if (has('evals:read')) toolsets.push('evals')
  if (has('traces:read')) toolsets.push('traces')
  if (has('training:read') || allowWrites) toolsets.push('training')
  if (allowWrites) toolsets.push('annotate')
  return { toolsets, allowWrites, allowDestructive: has('admin') }
}
