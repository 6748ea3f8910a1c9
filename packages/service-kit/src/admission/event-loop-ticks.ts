/** Schedules callbacks on later ticks of the event loop. */
export interface EventLoopTicks {
  /** Calls back on a later tick: the next one, or the first on which no client has connected. */
  next(callback: () => void): void
  /** To be called for each connection that was accepted. */
  noteConnection(): void
}

/** Ticks that a callback waits while clients connect. */
const maxDeferredTicks = 4

/**
 * The loop accepts one connection a tick, however many are pending. If each tick also ran the work of a request, a client that connects would
 * wait for as many requests as there are connections before its own.
 */
export function createEventLoopTicks(): EventLoopTicks {
  let connections = 0

  function wait(callback: () => void, ticksLeft: number): void {
    const before = connections
    setImmediate(() => {
      if (connections === before || ticksLeft <= 1) callback()
      else wait(callback, ticksLeft - 1)
    })
  }

  return {
    next: (callback) => wait(callback, maxDeferredTicks),
    noteConnection: () => void connections++,
  }
}
