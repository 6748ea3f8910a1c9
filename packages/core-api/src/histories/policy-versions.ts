/** The weights that produced a trajectory. */
export interface PolicyVersions {
  /** Smallest training step of the weights that responded. Null where none is known. */
  initial_policy_version: number | null
  /** Largest one. */
  final_policy_version: number | null
}

/**
 * From the steps of all responses of a trajectory, in any order: concurrent calls end in another order than they were sent, and a stale one must be
 * noticed. Unknown steps are ignored.
 */
export function policyVersions(steps: Iterable<number | null | undefined>): PolicyVersions {
  let initial: number | null = null
  let final: number | null = null
  for (const step of steps) {
    if (step == null) continue
    initial = Math.min(initial ?? step, step)
    final = Math.max(final ?? step, step)
  }
  return { initial_policy_version: initial, final_policy_version: final }
}
