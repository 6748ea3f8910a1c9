import { parseRef } from '@heddle/core-api'
import { readableName } from '../../../lib/texts/readable-name.ts'
import type { RunsSearch } from '../comparison-search.ts'
import type { ListedRun } from '../listed-run.ts'

/** The name of the evaluation that a run is of, whatever its version: what the run names, or its own name. */
export function evaluationOf({ evaluation, name }: Pick<ListedRun, 'evaluation' | 'name'>): string {
  const ref = parseRef(evaluation ?? '')
  return ref?.kind === 'object' ? ref.name : name
}

/** The runs that an address selects, in their order. */
export function filterRuns(runs: readonly ListedRun[], { find = '', evaluation, status }: RunsSearch): readonly ListedRun[] {
  const wanted = find.trim().toLowerCase()
  if (wanted === '' && evaluation === undefined && status === undefined) return runs
  return runs.filter(
    (run) =>
      (evaluation === undefined || evaluationOf(run) === evaluation) &&
      (status === undefined || run.status === status) &&
      (wanted === '' || [run.name, run.model ?? ''].some((text) => readableName(text).toLowerCase().includes(wanted))),
  )
}
