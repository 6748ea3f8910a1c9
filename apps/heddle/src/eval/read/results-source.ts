import type { ProjectName } from '@heddle/identity'
import type { TracingClient } from '../../connect.ts'

/** Where results of evaluations are read from. */
export interface ResultsSource {
  client: TracingClient
  /** Reads results for display, with numbers as they were sent. */
  exactClient: TracingClient
  project: ProjectName
  signal: AbortSignal
}

/** Time for one query: the largest evaluations that the server takes need more than the usual limit. */
const queryTimeoutMs = 300_000

/** Options of each query of evaluation results. */
export function resultsOptions({ signal }: ResultsSource): { signal: AbortSignal; timeoutMs: number } {
  return { signal, timeoutMs: queryTimeoutMs }
}
