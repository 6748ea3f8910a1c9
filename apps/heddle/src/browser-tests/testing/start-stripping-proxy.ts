import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StrippingProxy {
  /** Address at which the server is seen, with the base path and without a slash at the end. */
  url: string
  close(): Promise<void>
}

/** A reverse proxy on this machine that takes a path off before it passes requests on. What is not below that path is not found. */
export async function startStrippingProxy(target: string, basePath: string): Promise<StrippingProxy> {
  const { hostname, port } = new URL(target)
  const proxy = createServer((incoming, outgoing) => {
    const { url = '', method, headers } = incoming
    const path = url.slice(basePath.length)
    if (!url.startsWith(basePath) || !/^[/?]|^$/.test(path)) return void outgoing.writeHead(404).end('not of this server')
    const passed = request({ hostname, port, method, headers, path: path.startsWith('/') ? path : `/${path}` }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${basePath}`,
    async close() {
      proxy.close()
      proxy.closeAllConnections()
      await once(proxy, 'close')
    },
  }
}
