import { isIP } from 'node:net'
import type { AllowedTargets } from './allowed-targets.ts'
import { isPublicAddress } from './is-public-address.ts'
import { OutgoingError } from './outgoing-error.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Resolves a host name, in lower case, to its addresses. The signal ends it at any point, where that is possible. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<ResolvedAddress[]>

export interface CheckedTarget {
  url: URL
  /** The only addresses to connect to. Each was checked. */
  addresses: ResolvedAddress[]
}

/**
 * Parses a URL and resolves its host name once.
 * @throws OutgoingError `refused` for schemes other than http and https, for credentials, and when any address of the host is neither public nor allowed;
 * `unreachable` when the name cannot be resolved
 */
export async function checkTarget(
  text: string | URL,
  { resolve, allowed, signal }: { resolve: Resolve; allowed: AllowedTargets; signal: AbortSignal },
): Promise<CheckedTarget> {
  const url = parseUrl(text)
  const host = hostOf(url)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const addresses = await addressesOf(host, (name) => resolve(name, signal))
  for (const { address } of addresses) {
    if (isPublicAddress(address) || allowed.permits({ host, port, address })) continue
    throw new OutgoingError(
      'refused',
      `${url.host} is not on the public internet, nor on the list of hosts that this server may connect to`,
    )
  }
  return { url, addresses }
}

function parseUrl(text: string | URL): URL {
  if (!URL.canParse(String(text))) throw new OutgoingError('refused', 'the address is not a valid URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutgoingError('refused', `the URL must start with http: or https:, got ${url.protocol.slice(0, 40)}`)
  if (url.username !== '' || url.password !== '') throw new OutgoingError('refused', `the URL of ${url.host} must not contain a credential`)
  url.hash = ''
  return url
}

/** In lower case, without brackets and without the trailing dot of a fully qualified name. */
function hostOf({ hostname }: URL): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

async function addressesOf(host: string, resolve: (host: string) => Promise<ResolvedAddress[]>): Promise<ResolvedAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new OutgoingError('unreachable', `the name ${host} cannot be resolved`, { cause: error })
  })
  if (addresses.length === 0) throw new OutgoingError('unreachable', `the name ${host} has no address`)
  return addresses
}
