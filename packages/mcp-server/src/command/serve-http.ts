import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { requestIdHeader, requestIdOr } from '@heddle/core-api/internal'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createHttpHandler } from '../http/create-http-handler.ts'
import { metadataPath } from '../http/protected-resource.ts'
import type { HttpAuth, HttpOptions } from '../http/http-options.ts'
import type { ServerOptions } from '../connection/server-options.ts'
import type { FlagValues } from './flags.ts'
import { listOf } from './settings.ts'
import { UsageError } from './usage-error.ts'

export interface HttpServing {
  /** With the path. */
  url: string
  /** Takes no more, lets calls end for 10 seconds, then ends them. */
  close(): Promise<void>
}

const path = '/mcp'
const graceMs = 10_000
const loopback = ['127.0.0.1', 'localhost', '::1']

/** Reads the HTTP flags. @throws UsageError if the server would be reachable by others without protection */
export function toHttpOptions(values: FlagValues, options: ServerOptions): HttpOptions & { host: string; port: number } {
  const { host, port } = readAddress(values.http ?? '')
  const hosts = listOf(values['allowed-hosts'])
  const origins = listOf(values['allowed-origins'])
  if (!loopback.includes(host) && !hosts)
    throw new UsageError(`--http ${host}: others can reach it, so --allowed-hosts must name the hosts that it answers to`)
  const auth = readAuth(values)
  // Callers bring their keys: one of this process would serve any caller.
  const { apiKey: _unused, ...withoutKey } = options
  return {
    ...(auth ? options : withoutKey),
    host,
    port,
    ...(auth && { auth }),
    ...(hosts && { allowedHosts: hosts }),
    ...(origins && { allowedOrigins: origins }),
  }
}

const oauthFlags = ['oauth-issuer', 'oauth-jwks', 'oauth-resource'] as const

/** Undefined where callers bring keys of the service. */
function readAuth(values: FlagValues): HttpAuth | undefined {
  const given = oauthFlags.filter((name) => values[name] !== undefined)
  const file = values['token-file']
  if (given.length === 0) return file === undefined ? undefined : { mode: 'static', token: readToken(file) }
  if (file !== undefined) throw new UsageError(`--${given[0]} and --token-file exclude each other`)
  const missing = oauthFlags.filter((name) => !given.includes(name))
  if (missing.length > 0) throw new UsageError(`--${given[0]} needs ${missing.map((name) => `--${name}`).join(' and ')} as well`)
  return {
    mode: 'oauth',
    issuer: readHttpsUrl('oauth-issuer', values),
    jwksUri: readHttpsUrl('oauth-jwks', values),
    resource: readHttpsUrl('oauth-resource', values),
  }
}

/** Plain HTTP is taken on this machine alone: who can change the keys can sign tokens. */
function readHttpsUrl(flag: (typeof oauthFlags)[number], values: FlagValues): string {
  const text = values[flag] ?? ''
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.includes(url.hostname.replace(/^\[|\]$/g, '')))
  if (!isSafe) throw new UsageError(`--${flag} must be an https URL, got ${JSON.stringify(text)}`)
  return text
}

function readAddress(text: string): { host: string; port: number } {
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined
  if (!url || url.pathname !== '/' || text.endsWith('/'))
    throw new UsageError(`--http must be host:port, such as 127.0.0.1:7402, got ${JSON.stringify(text)}`)
  return { host: url.hostname.replace(/^\[|\]$/g, ''), port: url.port === '' && !text.endsWith(':80') ? 7402 : Number(url.port || 80) }
}

const minTokenLength = 16

function readToken(file: string): string {
  let token: string
  try {
    token = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new UsageError(`cannot read --token-file ${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (token.length < minTokenLength) throw new UsageError(`the token in ${file} has fewer than ${minTokenLength} characters`)
  return token
}

export async function serveHttp(options: HttpOptions & { host: string; port: number }): Promise<HttpServing> {
  const handler = createHttpHandler(options)
  const answer = toNodeHandler({
    fetch: async (request: Request) =>
      [path, metadataPath, metadataPath + path].includes(new URL(request.url).pathname)
        ? handler.fetch(request)
        : new Response(null, { status: 404 }),
  })
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, maxHeaderSize: 16_384 }, (request, response) => {
    const requestId = requestIdOr(request.headers[requestIdHeader])
    request.headers[requestIdHeader] = requestId
    response.setHeader(requestIdHeader, requestId)
    void answer(request as Parameters<typeof answer>[0], response)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port, options.host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const name = options.host.includes(':') ? `[${options.host}]` : options.host
  return {
    url: `http://${name}:${port}${path}`,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      server.closeIdleConnections()
      const timer = setTimeout(() => void handler.close().finally(() => server.closeAllConnections()), graceMs)
      await closed
      clearTimeout(timer)
      await handler.close()
    },
  }
}
