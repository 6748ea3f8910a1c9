import { type EvaluationRun, type RunCall, runCallColumns, toEvaluationRun } from '@heddle/evaluations'
import { evaluateOpNames } from '@heddle/trace-model'
import { UsageError } from '../../terminal/usage-error.ts'
import type { ResultsSource } from './results-source.ts'

/** The newest runs, newest first, at most `limit`: those of SDKs and of the server alike, since each is a call of one op. */
export function readNewestRuns(source: ResultsSource, limit: number): Promise<EvaluationRun[]> {
  const filter = { op_names: evaluateOpNames(source.project.id) }
  return collect(source, { filter, sort_by: [{ field: 'started_at', direction: 'desc' }], limit })
}

/**
 * Runs by their ids, in this order.
 * @throws UsageError that names the ids which the project does not have
 */
export async function readRuns(source: ResultsSource, ids: readonly string[]): Promise<EvaluationRun[]> {
  const found = await collect(source, { filter: { call_ids: [...ids] } })
  const runs = ids.map((id) => found.find((run) => run.id === id))
  const missing = ids.filter((_, index) => runs[index] === undefined)
  if (missing.length > 0) {
    const named = missing.map((id) => JSON.stringify(id)).join(' and ')
    throw new UsageError(`project ${source.project.id} has no evaluation run ${named}; run \`heddle eval list\` to see the newest`)
  }
  return runs.filter((run) => run !== undefined)
}

interface RunsQuery {
  filter: { op_names?: string[]; call_ids?: string[] }
  sort_by?: { field: string; direction: 'asc' | 'desc' }[]
  limit?: number
}

async function collect({ client, project, signal }: ResultsSource, wanted: RunsQuery): Promise<EvaluationRun[]> {
  const runs: EvaluationRun[] = []
  const calls: AsyncIterable<RunCall> = client.calls.streamQuery({ project_id: project.id, columns: runCallColumns, ...wanted }, { signal })
  for await (const call of calls) runs.push(toEvaluationRun(call))
  return runs
}
