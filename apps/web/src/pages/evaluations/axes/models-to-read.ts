import { parseRef } from '@heddle/core-api'
import type { ProjectName } from '../../../lib/use-project.ts'
import type { ListedRun } from '../listed-run.ts'

/** Names of models of one request. */
const namesAtOnce = 100

/** Names of the published models of runs in this project, each once, in groups that are read together. */
export function modelsToRead({ entity, project }: ProjectName, runs: readonly ListedRun[]): string[][] {
  const names = new Set<string>()
  for (const { givenModel } of runs) {
    const ref = typeof givenModel === 'string' ? parseRef(givenModel) : undefined
    if (ref?.kind === 'object' && ref.entity === entity && ref.project === project) names.add(ref.name)
  }
  const all = [...names]
  return Array.from({ length: Math.ceil(all.length / namesAtOnce) }, (_, at) => all.slice(at * namesAtOnce, (at + 1) * namesAtOnce))
}
