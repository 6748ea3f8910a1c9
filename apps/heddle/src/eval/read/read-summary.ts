import type { EvalSummary } from '@heddle/core-api/types'
import { type ResultsSource, resultsOptions } from './results-source.ts'

/** What the server counts over all rows of a run. */
export interface RunSummary {
  rows: number
  /** Undefined while the run has no row. */
  evaluation: EvalSummary | undefined
}

export async function readSummary(source: ResultsSource, run: string): Promise<RunSummary> {
  const { entity, name: project } = source.project
  const query = { entity, project, evaluation_call_ids: [run], include_rows: false, include_summary: true, usage: 'counted' as const }
  const { summary } = await source.client.evalResults.query(query, resultsOptions(source))
  return { rows: summary?.row_count ?? 0, evaluation: summary?.evaluations[0] }
}
