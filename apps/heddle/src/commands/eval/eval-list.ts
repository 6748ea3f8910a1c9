import { createClock } from '../../terminal/clock.ts'
import { formatRuns, toListedRun } from '../../eval/list/list-runs.ts'
import { readNewestRuns } from '../../eval/read/read-runs.ts'
import { readSummary } from '../../eval/read/read-summary.ts'
import { withSteps } from '../../terminal/progress.ts'
import { parseWhole } from '../../terminal/parse-whole.ts'
import { type EvalDeps, type EvalOptions, openResults } from './eval-options.ts'

/** Prints the newest evaluation runs of a project. */
export async function listEvaluations(options: EvalOptions & { limit: string }, deps: EvalDeps): Promise<void> {
  const limit = parseWhole('--limit', options.limit, { to: 1_000 })
  const source = await openResults(options, deps)
  const runs = await withSteps(deps.terminal, async (onStep) => {
    const found = await readNewestRuns(source, limit)
    const listed = []
    for (const [index, run] of found.entries()) {
      onStep(`Reading scores: ${index + 1} of ${found.length} evaluation runs`)
      listed.push(toListedRun(run, await readSummary(source, run.id)))
    }
    return listed
  })
  if (options.json) deps.terminal.json(JSON.stringify(runs, null, 2))
  else if (runs.length > 0) deps.terminal.out(formatRuns(runs, createClock(deps.configuration.timeZone)))
  else deps.terminal.note(noRuns(options.project))
}

export function noRuns(project: string): string {
  return `Project ${project} has no evaluation runs yet. Choose another with --project entity/project`
}
