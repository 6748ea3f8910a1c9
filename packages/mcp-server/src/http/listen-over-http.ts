import { createMcpHandler, InMemoryServerEventBus, type McpServerFactory } from '@modelcontextprotocol/server'
import { jsonError } from './json-error.ts'
import type { Services } from '../connection/connect-services.ts'
import { createResourceWatch } from '../resources/watch-resources.ts'

export interface ListenOptions {
  createServer: McpServerFactory
  keepAliveMs: number
  watchEveryMs: number | undefined
}

/** A request for notices, from a caller with its own clients. */
export interface ListenRequest {
  request: Request
  services: Services
  authInfo: { token: string; clientId: string; scopes: string[] }
}

/** Streams of notices, each with a watch that uses the key of its caller and ends with it. */
export interface ListenStreams {
  serve(listen: ListenRequest): Promise<Response>
  close(): Promise<void>
}

const maxBodyBytes = 65_536

/** Whether a request opens such a stream. The SDK refuses one whose header and body differ. */
export function isListen({ method, headers }: Request): boolean {
  return method === 'POST' && headers.get('mcp-method') === 'subscriptions/listen'
}

export function createListenStreams({ createServer, keepAliveMs, watchEveryMs }: ListenOptions): ListenStreams {
  const open = new Set<() => Promise<void>>()
  return {
    async serve({ request, services, authInfo }) {
      const message = await readMessage(request)
      if (message instanceof Response) return message
      const bus = new InMemoryServerEventBus()
      const watch = createResourceWatch({
        services,
        ...(watchEveryMs !== undefined && { everyMs: watchEveryMs }),
        onChange: (uri) => bus.publish({ kind: 'resource_updated', uri }),
      })
      const handler = createMcpHandler(createServer, { bus: endingBus(bus, () => finish()), keepAliveMs })
      const finish = () => {
        watch.close()
        open.delete(close)
      }
      const close = () => handler.close().finally(finish)
      open.add(close)
      const head = new Request(request.url, { method: 'POST', headers: request.headers, body: '{}', signal: request.signal })
      const response = await handler.fetch(head, { authInfo, parsedBody: message })
      if (bus.listenerCount === 0) finish()
      else for (const uri of urisOf(message)) watch.add(uri)
      return response
    },
    async close() {
      await Promise.all([...open].map((close) => close()))
    },
  }
}

/** The bus, and a call when its one subscriber has left. */
function endingBus(bus: InMemoryServerEventBus, onEnd: () => void) {
  return {
    publish: bus.publish.bind(bus),
    subscribe(listener: Parameters<InMemoryServerEventBus['subscribe']>[0]) {
      const unsubscribe = bus.subscribe(listener)
      return () => {
        unsubscribe()
        onEnd()
      }
    },
  }
}

/** The URIs that a message subscribes to. */
export function urisOf(message: unknown): string[] {
  const uris = (message as { params?: { notifications?: { resourceSubscriptions?: unknown } } } | null)?.params?.notifications
    ?.resourceSubscriptions
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === 'string') : []
}

async function readMessage({ body }: Request): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    if (bytes > maxBodyBytes) return jsonError(413, `the body of a request for notices may have ${maxBodyBytes} bytes`)
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString()) as unknown
  } catch {
    return jsonError(400, 'the body is not valid JSON')
  }
}
