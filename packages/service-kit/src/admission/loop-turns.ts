/** Turns of the event loop, between which work begins. */
export interface LoopTurns {
  /** Calls back in a later turn: the next one, or when no more clients connect. */
  next(callback: () => void): void
  /** Tells that a client has connected. */
  connected(): void
}

/** Turns that work waits for clients who connect. */
const maxPatience = 4

/**
 * The loop takes in one new connection in a turn, however many there are. If each turn also did the work of a request, a client with a
 * connection to make would wait for as many requests as there are connections before its own.
 */
export function createLoopTurns(): LoopTurns {
  let connections = 0

  function wait(callback: () => void, patience: number): void {
    const before = connections
    setImmediate(() => {
      if (connections === before || patience <= 1) callback()
      else wait(callback, patience - 1)
    })
  }

  return {
    next: (callback) => wait(callback, maxPatience),
    connected: () => void connections++,
  }
}
