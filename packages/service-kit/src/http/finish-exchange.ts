import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConnectionLimits } from './connection-limits.ts'

/** Most data that a client may still send after the response, so that it gets to read the response. */
const discardBytes = 64 * 2 ** 20
const discardMs = 5_000

/** Discards the rest of an unread body after the response, within bounds, and then closes the connection. */
export function discardUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.once('finish', () => {
    if (incoming.readableEnded || incoming.destroyed) return
    let bytes = 0
    const close = () => incoming.socket.destroySoon()
    const timer = setTimeout(close, discardMs).unref()
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.byteLength
      if (bytes > discardBytes) close()
    })
    incoming.once('close', () => clearTimeout(timer))
    incoming.resume()
  })
}

/** Closes the connection of a client that reads nothing of a finished response for `stallMs`. */
export function closeWhenStalled(outgoing: ServerResponse, stallMs: number): void {
  outgoing.once('prefinish', () => outgoing.setTimeout(stallMs, () => void outgoing.destroy()))
}

/** Keeps an idle connection open beyond its advertised keep-alive timeout, so that a late request is not cut off. */
export function keepForLateRequest(
  { socket }: IncomingMessage,
  outgoing: ServerResponse,
  { keepAliveMs, keepAliveBufferMs }: Pick<ConnectionLimits, 'keepAliveMs' | 'keepAliveBufferMs'>,
): void {
  outgoing.once('finish', () => {
    // Node has set the advertised keep-alive timeout, some versions a second more, unless the next request has already begun.
    const { timeout = 0 } = socket
    const kept = keepAliveMs + keepAliveBufferMs
    if (timeout >= keepAliveMs && timeout < kept) socket.setTimeout(kept)
  })
}
