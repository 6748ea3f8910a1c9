import type { RequestStats } from '@heddle/service-kit'
import type { MetricRegistry } from './registry.ts'

/** Counts the same requests in the metrics as well. */
export function withRequestMetrics(stats: RequestStats, registry: MetricRegistry): RequestStats {
  return {
    note(request) {
      stats.note(request)
      const { status, ms, waited, cut, refusal, bodyBytes = 0 } = request
      const operation = request.operation ?? 'none'
      registry.count('requests', 1, { operation, status: String(status) })
      registry.observe('requestSeconds', ms / 1_000, { operation })
      if (waited > 0) registry.observe('queuedSeconds', waited / 1_000)
      if (bodyBytes > 0) registry.count('bodyBytes', bodyBytes, { operation })
      if (refusal !== undefined) registry.count('refusals', 1, { reason: refusal })
      if (cut !== undefined) registry.count('cutResponses')
    },
    trace: stats.trace,
    read: () => stats.read(),
  }
}
