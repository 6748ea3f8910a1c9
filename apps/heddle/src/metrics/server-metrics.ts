import type { EarlyRefusal } from '@heddle/service-kit'
import type { ServerLog } from '../log/server-log.ts'
import { createCollection } from './collect-metrics.ts'
import type { MetricsText } from './metrics-routes.ts'
import { watchProcess } from './process-metrics.ts'
import { createMetricRegistry, type MetricRegistry, type ReadMetric } from './registry.ts'
import { type ServerState, sourcesOf } from './server-state.ts'

/** The metrics of a server, with the functions that its parts report to. */
export interface ServerMetrics extends MetricsText {
  registry: MetricRegistry
  /** Reads all sources, then all metrics. */
  read(): Promise<ReadMetric[]>
  onJournalSync: (seconds: number) => void
  onSpans: (spans: { stored: number; rejected: number }) => void
  onRefused: (reason: EarlyRefusal) => void
  /** Sets the sources of the state of the server. Until then only reported values are collected. */
  watch(state: ServerState): void
  close(): void
}

export function createServerMetrics(log: Pick<ServerLog, 'warn'>): ServerMetrics {
  const registry = createMetricRegistry()
  const ownProcess = watchProcess()
  const collectionOf = (state?: ServerState) =>
    createCollection({
      registry,
      sources: { process: () => ownProcess.read(), ...(state && sourcesOf(state)) },
      onError: (source, error) => log.warn({ source, err: error }, 'metrics of a part of the server could not be read'),
    })
  let collect = collectionOf()
  return {
    registry,
    contentType: registry.contentType,
    collect: () => collect(),
    async read() {
      await collect()
      return registry.read()
    },
    onJournalSync: (seconds) => registry.observe('journalSync', seconds),
    onSpans({ stored, rejected }) {
      registry.count('spans', stored, { outcome: 'stored' })
      registry.count('spans', rejected, { outcome: 'rejected' })
    },
    onRefused: (reason) => registry.count('refusals', 1, { reason }),
    watch(state) {
      collect = collectionOf(state)
    },
    close: () => ownProcess.close(),
  }
}
