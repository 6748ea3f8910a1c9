import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { forbidden, requestIdHeader, requestIdOr } from '@heddle/core-api/internal'
import { type Caller, isOperator } from '@heddle/identity'
import type { RawRoute } from '@heddle/service-kit'
import type { ListenAddress } from '../settings/value-kinds.ts'
import { UsageError } from '../terminal/usage-error.ts'

export const metricsPath = '/metrics'

export interface MetricsText {
  contentType: string
  collect: () => Promise<string>
}

/** Serves the metrics to an operator key. They name no project, but they show the load of the server. */
export function metricsRoute({ contentType, collect }: MetricsText): RawRoute<Caller> {
  return {
    name: 'metrics',
    method: 'GET',
    path: metricsPath,
    async handle(_request: Request, { access }: Caller) {
      if (!isOperator(access)) throw forbidden('metrics require an admin key for all projects')
      return new Response(await collect(), { headers: { 'content-type': contentType, 'cache-control': 'no-store' } })
    },
  }
}

export interface MetricsListener {
  url: string
  close(): Promise<void>
}

/**
 * Serves only the metrics, on a separate address and without authentication: every client that can connect may read them.
 * @throws UsageError if the address cannot be opened
 */
export async function listenForScrapes({ host, port }: ListenAddress, { contentType, collect }: MetricsText): Promise<MetricsListener> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000, keepAliveTimeout: 75_000 }, (request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff')
    response.setHeader(requestIdHeader, requestIdOr(request.headers[requestIdHeader]))
    const [path] = (request.url ?? '').split('?')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (path !== metricsPath || !isRead) {
      response.writeHead(path === metricsPath ? 405 : 404, { 'content-type': 'text/plain' }).end(`the metrics are at GET ${metricsPath}\n`)
      return
    }
    collect().then(
      (text) => response.writeHead(200, { 'content-type': contentType, 'cache-control': 'no-store' }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  server.maxConnections = 64
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(new UsageError(`cannot serve metrics on ${host}, port ${port} (${error.code}); choose another address with --metrics-address`))
    server.once('error', fail)
    server.listen(port, host, () => {
      server.off('error', fail)
      resolve()
    })
  })
  const { address, port: opened } = server.address() as AddressInfo
  return {
    url: `http://${address.includes(':') ? `[${address}]` : address}:${opened}${metricsPath}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
