import { isIP } from 'node:net'
import { isPublicAddress } from '@heddle/outgoing'

const metadataHeaders = new Set([
  'metadata',
  'metadata-flavor',
  'x-google-metadata-request',
  'x-aws-ec2-metadata-token',
  'x-aws-ec2-metadata-token-ttl-seconds',
])

/** The problem of the address of a model provider, to which the server itself sends requests; undefined for a public one. */
export function findBaseUrlProblem(text: string): string | undefined {
  const problem = 'base_url is not a valid provider URL'
  if (!URL.canParse(text)) return `${problem}: it cannot be read as one`
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${problem}: it must begin with https:// or http://`
  if (text.includes('?') || text.includes('#')) return `${problem}: it must have no query and no fragment`
  return isPublicHost(url.hostname) ? undefined : `${problem}: ${JSON.stringify(url.hostname)} is not a public address`
}

/** Undefined for a header that may be sent to a provider. Headers that open the metadata service of a cloud machine are refused. */
export function findHeaderProblem(name: string): string | undefined {
  if (!metadataHeaders.has(name.trim().toLowerCase())) return undefined
  return `extra_headers must not contain ${JSON.stringify(name)}: it is a header of cloud metadata services`
}

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  if (isIP(host) !== 0) return isPublicAddress(host)
  return host.includes('.') && !/\.(?:localhost|local|internal|localdomain|home\.arpa)$/.test(host)
}
