import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Makes one lookup of the many that are asked for at the same time. A lookup begins after all who share it have asked, so its answer is as
 * new for each as one of its own; at most one of a key is under way.
 */
export function shareLookups<T>(find: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const underWay = new Map<string, Promise<unknown>>()
  const next = new Map<string, Promise<T>>()

  async function lookUp(key: string): Promise<T> {
    await underWay.get(key)
    await nextTurn()
    next.delete(key)
    const lookup = find(key)
    const ended = lookup.then(
      () => undefined,
      () => undefined,
    )
    underWay.set(key, ended)
    try {
      return await lookup
    } finally {
      if (underWay.get(key) === ended) underWay.delete(key)
    }
  }

  return (key) => {
    const waiting = next.get(key)
    if (waiting) return waiting
    const asked = lookUp(key)
    next.set(key, asked)
    return asked
  }
}
