import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { connectServices } from '../connection/connect-services.ts'
import { createServerFactory } from '../server/create-server.ts'
import type { ServerOptions } from '../connection/server-options.ts'
import { createExactInput } from './exact-input.ts'
import { urisOf } from '../http/listen-over-http.ts'
import { createResourceWatch } from '../resources/watch-resources.ts'

export interface StdioServing {
  /** Resolves when the input has ended, or after `close`. */
  closed: Promise<void>
  close(): Promise<void>
}

/** Serves one client over standard input and output, with notices about the resources that it subscribes to in either protocol era. */
export function serveOverStdio(options: ServerOptions): StdioServing {
  const createServer = createServerFactory(options)
  let server: Server | undefined
  const watch = createResourceWatch({
    services: connectServices(options, {}),
    ...(options.watchEveryMs !== undefined && { everyMs: options.watchEveryMs }),
    // A client that has left gets none.
    onChange: (uri) => void server?.sendResourceUpdated({ uri }).catch(() => undefined),
  })
  const listening = new Map<unknown, string[]>()
  const onMessage = (message: JSONRPCMessage) => {
    if (!('method' in message)) return
    if (message.method === 'subscriptions/listen' && 'id' in message) {
      listening.set(
        message.id,
        urisOf(message).filter((uri) => watch.add(uri)),
      )
    } else if (message.method === 'notifications/cancelled') {
      const id = (message.params as { requestId?: unknown } | undefined)?.requestId
      for (const uri of listening.get(id) ?? []) watch.remove(uri)
      listening.delete(id)
    }
  }
  let onClosed: () => void
  const closed = new Promise<void>((resolve) => (onClosed = resolve))
  const input = createExactInput()
  process.stdin.pipe(input.lines)
  const transport = observeTransport(new StdioServerTransport(input.lines), {
    onMessage,
    restore: input.restore,
    onClose() {
      process.stdin.unpipe(input.lines).pause()
      watch.close()
      onClosed()
    },
  })
  const serving = serveStdio(() => (server = createServer({}, { watch })), {
    transport,
    maxSubscriptions: 20,
    ...(options.onError && { onerror: options.onError }),
  })
  return { closed, close: () => serving.close() }
}

interface Observer {
  /** What the server gets for a message. */
  restore<T>(message: T): T
  onMessage(message: JSONRPCMessage): void
  onClose(): void
}

/** The transport, with what arrives shown to an observer first: the SDK answers requests for notices before a server sees them. */
function observeTransport(inner: StdioServerTransport, { restore, onMessage, onClose }: Observer): Transport {
  const outer: Transport = {
    start() {
      inner.onmessage = (message) => {
        onMessage(message)
        outer.onmessage?.(restore(message))
      }
      inner.onerror = (error) => outer.onerror?.(error)
      inner.onclose = () => {
        onClose()
        outer.onclose?.()
      }
      return inner.start()
    },
    send: (message) => inner.send(message),
    close: () => inner.close(),
  }
  return outer
}
