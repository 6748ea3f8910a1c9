import { settings } from '../../settings/settings.ts'

/** Directives of a block by their names; those with several values of one name, as headers, by the name and the first value. */
type Directives = ReadonlyMap<string, string>

/**
 * Checks a server of nginx that passes everything on to one of Heddle with its default settings: bodies as large, pages of the same host, a secure cookie, and streams as they come.
 * @throws Error that names what is wrong
 */
export function checkNginxConfiguration(text: string): void {
  const directives = readDirectives(text)
  const expected = {
    proxy_pass: `http://127.0.0.1:${settings.port.default}`,
    client_max_body_size: `${Number(settings.maxRequestBytes.default) / 2 ** 20}m`,
    'proxy_set_header Host': '$http_host',
    'proxy_set_header X-Forwarded-Proto': '$scheme',
    'proxy_set_header X-Request-Id': '$request_id',
    proxy_buffering: 'off',
    proxy_read_timeout: '600s',
  }
  for (const [name, value] of Object.entries(expected))
    if (directives.get(name) !== value) throw new Error(`${name} is ${directives.get(name) ?? 'missing'}, and must be ${value}`)
}

/** @throws Error for a statement without an end, and for braces that do not match */
function readDirectives(text: string): Directives {
  const directives = new Map<string, string>()
  let depth = 0
  for (const [line, words = '', end] of text.matchAll(/([^;{}]*)([;{}]|$)/g)) {
    if (end === '' && line.trim() !== '') throw new Error(`"${line.trim()}" has no end`)
    depth += end === '{' ? 1 : end === '}' ? -1 : 0
    if (end !== ';') continue
    const [name = '', first = '', ...rest] = words.trim().split(/\s+/)
    if (rest.length > 0 && name === 'proxy_set_header') directives.set(`${name} ${first}`, rest.join(' '))
    else directives.set(name, [first, ...rest].join(' '))
  }
  if (depth !== 0) throw new Error('braces do not match')
  return directives
}
