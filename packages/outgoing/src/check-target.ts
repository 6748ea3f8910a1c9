import { isIP } from 'node:net'
import type { AllowedTargets } from './allowed-targets.ts'
import { isPublicAddress } from './is-public-address.ts'
import { OutgoingError } from './outgoing-error.ts'

export interface ResolvedAddress {
  address: string
  family: number
}

/** Finds the addresses of a name. */
export type Resolve = (host: string) => Promise<ResolvedAddress[]>

export interface CheckedTarget {
  url: URL
  /** The only addresses to connect to: all were checked. */
  addresses: ResolvedAddress[]
}

/**
 * Reads an address and resolves its name, once.
 * @throws OutgoingError `refused` for anything but http and https, for credentials, and when one address of the host is not public and not allowed;
 * `unreachable` for a name that has none
 */
export async function checkTarget(
  text: string | URL,
  { resolve, allowed }: { resolve: Resolve; allowed: AllowedTargets },
): Promise<CheckedTarget> {
  const url = parseUrl(text)
  const host = hostOf(url)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  const addresses = await addressesOf(host, resolve)
  for (const { address } of addresses) {
    if (isPublicAddress(address) || allowed.permits({ host, port, address })) continue
    throw new OutgoingError('refused', `${url.host} is not on the public internet, and not on the list of hosts that this server may ask`)
  }
  return { url, addresses }
}

function parseUrl(text: string | URL): URL {
  if (!URL.canParse(String(text))) throw new OutgoingError('refused', 'the address is no URL')
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new OutgoingError('refused', `an address begins with http: or https:, not with ${url.protocol.slice(0, 40)}`)
  if (url.username !== '' || url.password !== '') throw new OutgoingError('refused', `the address of ${url.host} holds a credential`)
  url.hash = ''
  return url
}

/** In lower case, without brackets and without the dot that ends a full name. */
function hostOf({ hostname }: URL): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

async function addressesOf(host: string, resolve: Resolve): Promise<ResolvedAddress[]> {
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  const addresses = await resolve(host).catch((error: unknown) => {
    throw new OutgoingError('unreachable', `the name ${host} cannot be resolved`, { cause: error })
  })
  if (addresses.length === 0) throw new OutgoingError('unreachable', `the name ${host} has no address`)
  return addresses
}
