import { isLoopback } from '../../settings/server-address.ts'
import type { Configuration } from '../../settings/configuration.ts'

/**
 * What an operator should know of a server that others can reach without encryption. Undefined where only this machine reaches it.
 * `url` with `https:` means that a proxy is before the server, which others should then not be able to go around.
 */
export function plainHttpWarning({ host, url }: Pick<Configuration, 'host' | 'url'>): string | undefined {
  if (isLoopback(host)) return undefined
  if (url?.startsWith('https:'))
    return `${host} is reachable without TLS: let only the proxy of ${url} connect to it, by a firewall or by --host 127.0.0.1 on its machine`
  return (
    `${host} is reachable by other machines without TLS: keys and data cross the network in clear text. ` +
    'Listen on 127.0.0.1 behind a proxy with TLS and set --url to its https:// address; see docs/security.md'
  )
}
