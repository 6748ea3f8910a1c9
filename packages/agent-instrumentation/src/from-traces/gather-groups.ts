import type { Judge } from '../judging/ruler.ts'
import { type CollectedGroups, collectGroups, type CollectOptions } from './collect-groups.ts'
import { judgeGroups } from './judge-groups.ts'
import type { TraceSource } from './attempts/read-traces.ts'
import { runScorer } from './rewards/run-scorer.ts'

/** The current step and its progress. */
export interface GatherProgress {
  step: 'scoring' | 'reading' | 'judging'
  done: number
  total: number
  /** So far. */
  trajectories: number
}

export interface GatherOptions extends Omit<CollectOptions, 'onProgress'> {
  /** Compares the attempts of a group where the reward is `ruler`. */
  judge?: Judge | undefined
  onProgress?: (progress: GatherProgress) => void
}

/**
 * Everything before a training job: runs the stored scorer that gives the reward over attempts that it has not scored, rebuilds groups from traces,
 * and lets a judge compare their attempts.
 * @throws ScorerUnavailable if the scorer does not exist, ApiError
 */
export async function gatherGroups(source: TraceSource, { judge, onProgress, ...options }: GatherOptions): Promise<CollectedGroups> {
  const scoring = await scoreAttempts(source, options, onProgress)
  const collected = await collectGroups(source, {
    ...options,
    onProgress: ({ read, total, trajectories }) => onProgress?.({ step: 'reading', done: read, total, trajectories }),
  })
  const gathered = { ...collected, warnings: [...collected.warnings, ...scoring] }
  if (!judge) return gathered
  return judgeGroups(gathered, {
    judge,
    signal: source.signal,
    onProgress: ({ judged, total }) => onProgress?.({ step: 'judging', done: judged, total, trajectories: 0 }),
  })
}

/** A scorer is run by its reference; of one that is named, the scores that are there count. Returns warnings about attempts that are without a score then. */
async function scoreAttempts(
  source: TraceSource,
  { reward, filter, maxTraces }: CollectOptions,
  onProgress: GatherOptions['onProgress'],
): Promise<string[]> {
  if (reward.from !== 'scorer' || !isReference(reward.scorer)) return []
  const { requested, scored, failed, reason } = await runScorer(source, {
    filter,
    maxTraces,
    scorer: reward.scorer,
    onProgress: ({ scored: done, total }) => onProgress?.({ step: 'scoring', done, total, trajectories: 0 }),
  })
  const waited = requested - scored - failed
  return [
    ...(failed === 0 ? [] : [`the scorer failed on ${failed} attempts, which are left out; on one of them with ${reason}`]),
    ...(waited === 0 ? [] : [`${waited} attempts got no score within two minutes; they are left out`]),
  ]
}

/** Names of objects have no slash. */
function isReference(scorer: string): boolean {
  return scorer.includes('/')
}
