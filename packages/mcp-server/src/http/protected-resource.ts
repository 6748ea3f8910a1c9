import type { OAuthSettings } from './http-options.ts'

/** What tokens may allow, in the order of the metadata. */
export const scopes = ['evals:read', 'traces:read', 'training:read', 'training:write', 'admin'] as const
export type Scope = (typeof scopes)[number]

/** Path of the metadata of a protected resource (RFC 9728). */
export const metadataPath = '/.well-known/oauth-protected-resource'

/** The metadata by which clients find the authorization server. */
export function protectedResourceMetadata({ resource, issuer }: OAuthSettings): Response {
  return Response.json(
    {
      resource,
      authorization_servers: [issuer],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Heddle',
    },
    { headers: { 'cache-control': 'public, max-age=3600', 'access-control-allow-origin': '*' } },
  )
}
