import { setImmediate } from 'node:timers/promises'

/** Consecutive slices of a list, at most `size` items each. Between two of them the event loop runs other work. */
export async function* slicesOf<T>(items: readonly T[], size: number): AsyncIterable<readonly T[]> {
  for (let start = 0; start < items.length; start += size) {
    if (start > 0) await setImmediate()
    yield items.slice(start, start + size)
  }
}
