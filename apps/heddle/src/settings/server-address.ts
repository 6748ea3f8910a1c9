import { isIP } from 'node:net'

export interface ServerAddress {
  host: string
  port: number
  /** Path under which browsers see the server, without a slash at the end. Default `''`: the root. */
  basePath?: string
  /** Counts instead of all of these; without a slash at the end. */
  url?: string | undefined
}

/** The address at which this machine reaches the server, without a slash at the end. */
export function baseUrlOf({ host, port, basePath = '', url }: ServerAddress): string {
  if (url !== undefined) return url
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${isIP(reachable) === 6 ? `[${reachable}]` : reachable}:${port}${basePath}`
}

/** True for addresses that only this machine can reach. A name other than `localhost` may point anywhere. */
export function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host.toLowerCase() === 'localhost'
}

/**
 * The names to which a server answers that listens for this machine alone: those of this machine and of its base URL, which is that of a proxy
 * on this machine, so that no web site reaches it by its own host name (DNS rebinding). Undefined for one that others can reach: any name.
 */
export function namesOf({ host, url }: Pick<ServerAddress, 'host' | 'url'>): string[] | undefined {
  if (!isLoopback(host)) return undefined
  return [host, 'localhost', '127.0.0.1', '::1', ...(url === undefined ? [] : [hostnameOf(url)])]
}

/** The name or address in a URL, an IPv6 address without its brackets. */
export const hostnameOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '')
