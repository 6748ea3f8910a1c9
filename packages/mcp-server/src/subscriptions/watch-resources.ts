import { createHash } from 'node:crypto'
import { resourceTemplates } from '../resources/resources.ts'
import type { Services } from '../server/connect-services.ts'

export interface WatchOptions {
  services: Services
  /** Milliseconds between two looks at what is watched. Default: 2,000. */
  everyMs?: number
  /** Called with a URI whose resource has changed since it was looked at before. */
  onChange: (uri: string) => void
}

/** Looks at resources again and again, while somebody has asked for that. */
export interface ResourceWatch {
  /** Whether the resource is watched from now on: one that may change, where fewer than 20 others are. Asked for twice, it is to be removed twice. */
  add(uri: string): boolean
  remove(uri: string): void
  /** Ends all of it, and what is being read. */
  close(): void
}

const usualMs = 2_000
const maxWatched = 20
const mostWaitMs = 60_000

interface Watched {
  holders: number
  read: (signal: AbortSignal) => Promise<unknown>
  /** Hash of what was read last; undefined before. */
  seen?: string
  /** After failures, the looks that are left out. */
  failures: number
  nextAt: number
}

/**
 * Reads what is watched one after another with the key of who asked. What cannot be read is tried less and less often, at least once a minute: a key
 * without the right to read a resource learns nothing about it.
 */
export function createResourceWatch({ services, everyMs = usualMs, onChange }: WatchOptions): ResourceWatch {
  const watched = new Map<string, Watched>()
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
        one.nextAt = performance.now() + Math.min(everyMs * 2 ** one.failures, mostWaitMs)
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
function readerOf(uri: string, services: Services): Watched['read'] | undefined {
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
