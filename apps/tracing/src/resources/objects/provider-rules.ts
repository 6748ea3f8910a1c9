import { BlockList, isIP } from 'node:net'

const notPublic = privateNetworks()
const metadataHeaders = new Set([
  'metadata',
  'metadata-flavor',
  'x-google-metadata-request',
  'x-aws-ec2-metadata-token',
  'x-aws-ec2-metadata-token-ttl-seconds',
])

/** What is wrong with the address of a model provider, to which the server itself sends requests; undefined for a public one. */
export function findBaseUrlProblem(text: string): string | undefined {
  const problem = 'base_url is not a valid provider URL'
  if (!URL.canParse(text)) return `${problem}: it cannot be read as one`
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return `${problem}: it must begin with https:// or http://`
  if (text.includes('?') || text.includes('#')) return `${problem}: it must have no query and no fragment`
  return isPublicHost(url.hostname) ? undefined : `${problem}: ${JSON.stringify(url.hostname)} is not a public address`
}

/** Undefined for a header that may go to a provider. Headers that open the metadata service of a cloud machine may not. */
export function findHeaderProblem(name: string): string | undefined {
  if (!metadataHeaders.has(name.trim().toLowerCase())) return undefined
  return `extra_headers must not contain ${JSON.stringify(name)}: it is a header of cloud metadata services`
}

function isPublicHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')
  const version = isIP(host)
  if (version !== 0) return !notPublic.check(host, version === 6 ? 'ipv6' : 'ipv4')
  return host.includes('.') && !/\.(?:localhost|local|internal|localdomain|home\.arpa)$/.test(host)
}

function privateNetworks(): BlockList {
  const list = new BlockList()
  const ranges: [string, number, 'ipv4' | 'ipv6'][] = [
    ['0.0.0.0', 8, 'ipv4'],
    ['10.0.0.0', 8, 'ipv4'],
    ['100.64.0.0', 10, 'ipv4'],
    ['127.0.0.0', 8, 'ipv4'],
    ['169.254.0.0', 16, 'ipv4'],
    ['172.16.0.0', 12, 'ipv4'],
    ['192.0.0.0', 24, 'ipv4'],
    ['192.168.0.0', 16, 'ipv4'],
    ['198.18.0.0', 15, 'ipv4'],
    ['224.0.0.0', 3, 'ipv4'],
    ['::', 127, 'ipv6'],
    ['64:ff9b::', 96, 'ipv6'],
    ['fc00::', 7, 'ipv6'],
    ['fe80::', 10, 'ipv6'],
    ['ff00::', 8, 'ipv6'],
  ]
  for (const [network, prefix, family] of ranges) list.addSubnet(network, prefix, family)
  return list
}
