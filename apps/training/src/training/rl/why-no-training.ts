import type { CollectedGroups } from './collect-sequences.ts'
import type { CutSequences } from './cut-sequences.ts'
import type { NothingToTrain } from './prepared-rl.ts'

/** The reason why there is no gradient step. */
export function whyNoTraining({ groups, sequences, sampledTrajectories }: CollectedGroups, { kept }: CutSequences): NothingToTrain {
  const trajectories = groups.rewards.flat().length
  if (trajectories === 0) return { reason: 'no trajectories', message: 'no trajectories: every group is empty' }
  if (sampledTrajectories === 0 || (groups.trainable > 0 && sequences.length === 0)) {
    const which = groups.trainable > 0 ? 'in groups with differing rewards ' : ''
    return {
      reason: 'no logprobs',
      message: `no logprobs: no choice ${which}has log-probabilities, so nothing in ${trajectories} trajectories can be trained on; send choices as chat completions returned them, or set allow_training_without_logprobs`,
    }
  }
  if (groups.trainable === 0) {
    return {
      reason: 'equal rewards',
      message: `equal rewards: within each of ${groups.submitted} groups all rewards are the same, so no attempt is better than another`,
    }
  }
  if (kept.length === 0) {
    return {
      reason: 'everything truncated',
      message: `everything truncated: nothing that was sampled stands within the row length; raise packed_sequence_length, or shorten the prompts`,
    }
  }
  return { reason: 'advantage balance', message: 'advantage balance: advantage_balance leaves no attempt to learn from' }
}
