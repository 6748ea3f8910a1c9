import type { Server } from 'node:http'
import type { ConnectionLimits } from './connection-limits.ts'

/** Closes connections beyond the limits as they come. Returns how many were refused so far. */
export function limitConnections(server: Server, limits: Pick<ConnectionLimits, 'maxConnections' | 'maxConnectionsPerAddress'>): () => number {
  const open = new Map<string, number>()
  let refused = 0
  server.maxConnections = limits.maxConnections
  server.on('drop', () => refused++)
  server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? ''
    const count = (open.get(address) ?? 0) + 1
    if (count > limits.maxConnectionsPerAddress) {
      refused++
      socket.destroy()
      return
    }
    open.set(address, count)
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1
      if (left > 0) open.set(address, left)
      else open.delete(address)
    })
  })
  return () => refused
}
