/** Bounds of connections and of slow clients. Times in milliseconds. */
export interface ConnectionLimits {
  /** Until the headers are complete. */
  headersMs: number
  /** Until the whole request has arrived. */
  requestMs: number
  /** Keep-alive timeout advertised to clients, in whole seconds on the wire. */
  keepAliveMs: number
  /** Grace period after it, for a request already in flight. */
  keepAliveBufferMs: number
  /** Between two checks of the limits above. */
  checkMs: number
  /** A client may read nothing of a finished response for. */
  stallMs: number
  /** Requests in progress may take after `close()`. */
  drainMs: number
  /** Connections in all. */
  maxConnections: number
  /** Connections of one address. */
  maxConnectionsPerAddress: number
}

export const defaultConnectionLimits: ConnectionLimits = {
  headersMs: 10_000,
  requestMs: 60_000,
  // Longer than clients keep theirs, usually 4 or 5 seconds: a server that closes first may cut off a request that is on its way.
  keepAliveMs: 15_000,
  // Clients with a busy event loop stop using a connection late.
  keepAliveBufferMs: 5_000,
  checkMs: 1_000,
  stallMs: 30_000,
  drainMs: 15_000,
  maxConnections: 16_384,
  // All clients behind a proxy share its address.
  maxConnectionsPerAddress: 12_288,
}
