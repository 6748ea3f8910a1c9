import type { Judge } from '../judging/ruler.ts'
import { type CollectedGroups, excludeUseless } from './collect-groups.ts'

export interface JudgeOptions {
  judge: Judge
  signal?: AbortSignal | undefined
  /** Called after each group. */
  onProgress?: (progress: { judged: number; total: number }) => void
}

/** Rewards each group by a judge, one after the other. A group that cannot be judged is excluded, with a warning that gives the reason. */
export async function judgeGroups(collected: CollectedGroups, { judge, signal, onProgress }: JudgeOptions): Promise<CollectedGroups> {
  const warnings = [...collected.warnings]
  const groups: CollectedGroups['groups'] = []
  for (const [at, traced] of collected.groups.entries()) {
    const judged = { ...traced, excluded: new Map(traced.excluded) }
    const count = traced.group.trajectories.length
    try {
      if (count > 1) judged.group = await judge.score(traced.group, { signal })
      excludeUseless(judged)
    } catch (error) {
      signal?.throwIfAborted()
      judged.excluded.set('not judged', count)
      warnings.push(error instanceof Error ? error.message : String(error))
    }
    groups.push(judged)
    onProgress?.({ judged: at + 1, total: collected.groups.length })
  }
  return { ...collected, groups, warnings }
}
