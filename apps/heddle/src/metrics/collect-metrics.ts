import type { MetricRegistry, Readings } from './registry.ts'
import type { Source } from './server-state.ts'

export interface CollectionOptions {
  registry: MetricRegistry
  /** By name. No two read the same metric. */
  sources: Readonly<Record<string, Source>>
  /** Called with the error of a source that could not be read. */
  onError: (source: string, error: unknown) => void
  /** Milliseconds after which a source is skipped. Default 3,000: Prometheus waits for 10 s. */
  limitMs?: number
}

/**
 * Returns a function that reads all sources and returns the text of OpenMetrics. Concurrent collections share one, so that scrapers cannot overload the
 * stores. A source that fails or is late keeps its values of the previous collection, and is counted.
 */
export function createCollection({ registry, sources, onError, limitMs = 3_000 }: CollectionOptions): () => Promise<string> {
  let running: Promise<string> | undefined
  const reading = new Map<string, Promise<Readings>>()

  async function readOne(name: string, source: Source): Promise<void> {
    // A source that hangs is not read again meanwhile.
    let pending = reading.get(name)
    if (pending === undefined) {
      pending = Promise.resolve().then(source)
      reading.set(name, pending)
      const settle = () => void reading.delete(name)
      pending.then(settle, settle)
    }
    try {
      registry.replace(await within(limitMs, pending))
    } catch (error) {
      registry.count('unreadSources', 1, { source: name })
      onError(name, error)
    }
  }

  async function collect(): Promise<string> {
    await Promise.all(Object.entries(sources).map(([name, source]) => readOne(name, source)))
    return registry.text()
  }

  return () =>
    (running ??= collect().finally(() => {
      running = undefined
    }))
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no values within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
