import type { IncomingMessage } from 'node:http'

type Message = Pick<IncomingMessage, 'url' | 'headers' | 'rawHeaders'>

/**
 * Name and port under which a request addresses this server, as in its Host header; `''` without one.
 * Undefined when it is ambiguous: more than one Host line, or a target that is not a path and names another host than the Host line (RFC 9112, 3.2).
 */
export function readAuthority({ url = '', headers, rawHeaders }: Message): string | undefined {
  if (countHostLines(rawHeaders) > 1) return undefined
  const { host = '' } = headers
  if (url.startsWith('/')) return host
  const [scheme = ''] = /^https?:\/\//.exec(url) ?? []
  const target = scheme && hostOf(url)
  return target && target === hostOf(scheme + host) ? host : undefined
}

/** The name without its port: `[::1]:80` gives `::1`. */
export function nameOf(authority: string): string {
  return authority
    .toLowerCase()
    .replace(/:\d+$/, '')
    .replace(/^\[(.*)\]$/, '$1')
}

function countHostLines(rawHeaders: readonly string[]): number {
  let lines = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') lines++
  }
  return lines
}

/** Name and port, normalised, without the default port of the scheme. Undefined when it is not a valid authority. */
function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined
}
