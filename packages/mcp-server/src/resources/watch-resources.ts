import { createHash } from 'node:crypto'
import { resourceTemplates } from './resources.ts'
import type { Services } from '../connection/connect-services.ts'

export interface WatchOptions {
  services: Services
  /** Milliseconds between two checks of a watched resource. Default: 2,000. */
  everyMs?: number
  /** Called with a URI whose resource has changed since it was looked at before. */
  onChange: (uri: string) => void
}

/** Polls resources while there are subscriptions to them. */
export interface ResourceWatch {
  /**
   * Returns whether the resource is now watched: it must be able to change, and fewer than 20 others may be watched. Each `add` needs its own
   * `remove`.
   */
  add(uri: string): boolean
  remove(uri: string): void
  /** Stops watching, and aborts running reads. */
  close(): void
}

const usualMs = 2_000
const maxWatched = 20
const maxWaitMs = 60_000

interface WatchState {
  holders: number
  read: (signal: AbortSignal) => Promise<unknown>
  /** Hash of the last value; undefined before the first. */
  seen?: string
  /** After failures, the checks to skip. */
  failures: number
  nextAt: number
}

/**
 * Reads watched resources one after another with the subscriber's key. Resources that cannot be read are retried less and less often, at least once a
 * minute: a key without the right to read a resource learns nothing about it.
 */
export function createResourceWatch({ services, everyMs = usualMs, onChange }: WatchOptions): ResourceWatch {
  const watched = new Map<string, WatchState>()
  const ended = new AbortController()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    for (const [uri, one] of watched) {
      if (one.nextAt > performance.now()) continue
      try {
        const hash = hashOf(await one.read(ended.signal))
        if (one.seen !== undefined && one.seen !== hash && watched.has(uri)) onChange(uri)
        one.seen = hash
        one.failures = 0
      } catch {
        one.failures++
        one.nextAt = performance.now() + Math.min(everyMs * 2 ** one.failures, maxWaitMs)
      }
    }
  }

  function schedule(delayMs: number): void {
    if (timer !== undefined || watched.size === 0 || ended.signal.aborted) return
    timer = setTimeout(async () => {
      await look()
      timer = undefined
      schedule(everyMs)
    }, delayMs)
    timer.unref()
  }

  return {
    add(uri) {
      const known = watched.get(uri)
      if (known) known.holders++
      if (known) return true
      const read = readerOf(uri, services)
      if (!read || watched.size >= maxWatched) return false
      watched.set(uri, { holders: 1, read, failures: 0, nextAt: 0 })
      schedule(0)
      return true
    },
    remove(uri) {
      const known = watched.get(uri)
      if (known && --known.holders === 0) watched.delete(uri)
    },
    close() {
      ended.abort()
      clearTimeout(timer)
      watched.clear()
    },
  }
}

/** How a resource that may change is read; undefined for any other. */
function readerOf(uri: string, services: Services): WatchState['read'] | undefined {
  for (const template of resourceTemplates) {
    const parts = template.match(uri)
    if (!parts) continue
    const read = template.watch?.(parts)
    return read && ((signal) => read({ ...services, signal, configuration: {} }))
  }
  return undefined
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64')
}
