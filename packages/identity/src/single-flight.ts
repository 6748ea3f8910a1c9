import { setImmediate as nextTick } from 'node:timers/promises'

/**
 * Runs one lookup for all concurrent callers of the same key (single flight). A lookup starts after all its callers have called,
 * so its result is as fresh for each caller as its own lookup would be. At most one lookup of a key runs at a time.
 */
export function singleFlight<T>(find: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<T>>()

  async function lookUp(key: string): Promise<T> {
    await running.get(key)
    await nextTick()
    next.delete(key)
    const lookup = find(key)
    const ended = lookup.then(
      () => undefined,
      () => undefined,
    )
    running.set(key, ended)
    try {
      return await lookup
    } finally {
      if (running.get(key) === ended) running.delete(key)
    }
  }

  return (key) => {
    const waiting = next.get(key)
    if (waiting) return waiting
    const scheduled = lookUp(key)
    next.set(key, scheduled)
    return scheduled
  }
}
