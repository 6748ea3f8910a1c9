import type { Server, Socket } from 'node:net'
import type { ConnectionLimits } from './connection-limits.ts'

export interface Connections {
  /** How many were refused so far. */
  readonly refused: number
  /** Closes connections that have not sent a byte, which Node does not count as idle. */
  closeSilent(): void
}

/** Closes connections beyond the limits as they arrive. */
export function watchConnections(
  server: Server,
  limits: Pick<ConnectionLimits, 'maxConnections' | 'maxConnectionsPerAddress'>,
): Connections {
  const byAddress = new Map<string, Set<Socket>>()
  let refused = 0
  server.maxConnections = limits.maxConnections
  server.on('drop', () => refused++)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const open = byAddress.get(address) ?? new Set()
    if (open.size >= limits.maxConnectionsPerAddress) {
      refused++
      socket.destroy()
      return
    }
    byAddress.set(address, open.add(socket))
    socket.once('close', () => {
      open.delete(socket)
      if (open.size === 0) byAddress.delete(address)
    })
  })
  return {
    get refused() {
      return refused
    },
    closeSilent() {
      for (const socket of [...byAddress.values()].flatMap((open) => [...open])) if (socket.bytesRead === 0) socket.destroy()
    },
  }
}
