import type { JsonObject } from '@heddle/core-api'
import { UsageError } from '../../terminal/usage-error.ts'
import { fromAtif } from './from-atif.ts'
import { type Trial, readTrials } from './harbor-trials.ts'

/** Trajectories that are held together. */
const maxTrials = 100_000

/**
 * Groups of the attempts at these paths, by their task, in the order in which tasks were found. An attempt that failed without a reward is an
 * exception of its group.
 * @throws UsageError that names the file, such as for an attempt without a reward
 */
export async function groupsFromAtif(paths: readonly string[]): Promise<JsonObject[]> {
  const groups = new Map<string, { trajectories: JsonObject[]; exceptions: JsonObject[] }>()
  let trials = 0
  for (const path of paths) {
    for await (const trial of readTrials(path)) {
      if (++trials > maxTrials) throw new UsageError(`${path} has more than ${maxTrials} trajectories; convert it in parts`)
      const group = groups.get(trial.task) ?? { trajectories: [], exceptions: [] }
      groups.set(trial.task, group)
      addTrial(group, trial)
    }
  }
  if (trials === 0) throw new UsageError(`${paths.join(', ')}: no ATIF trajectory and no trial of Harbor was found`)
  return [...groups].map(([task, group]) => ({ ...group, metadata: { group_id: task }, metrics: {}, logs: [] }))
}

function addTrial({ trajectories, exceptions }: { trajectories: JsonObject[]; exceptions: JsonObject[] }, trial: Trial): void {
  const { document, reward, exception, path } = trial
  if (document && reward !== null) {
    trajectories.push({ ...fromAtif(document, path), reward })
    return
  }
  if (!exception)
    throw new UsageError(
      reward === null
        ? `${path} has no reward; put a number in extra.reward of the trajectory, or run the verifier of its task`
        : `${path} has a reward, and no agent/trajectory.json; choose an agent that writes ATIF`,
    )
  exceptions.push(exception)
}
