import type { RlSettings } from '../../objective/settings/rl-settings.ts'
import type { PackableSequence, PackedRow } from '../../sequences/packing/pack-rows.ts'

/** A sequence with its values from the whole job: advantage and weight, the same for each of its sampled tokens. */
export interface RlSequence extends PackableSequence {
  /** Of each token; read where it was sampled, NaN where it is unknown. */
  logProbabilities: Float64Array
  advantage: number
  weight: number
  /** Sampled tokens of the trajectory, before anything was cut. */
  trajectoryTokens: number
}

/** Sequences of one optimizer step. */
export interface RlRow extends PackedRow<RlSequence> {
  learningRate: number
  /** Share of a step, above 0 to 1: how much of its learning rate is used. */
  share: number
}

export type NothingToTrainReason = 'no trajectories' | 'no logprobs' | 'equal rewards' | 'everything truncated' | 'advantage balance'

/** Why a job has no gradient step. It succeeds all the same, with unchanged weights. */
export interface NothingToTrain {
  reason: NothingToTrainReason
  /** Begins with the reason, and names the remedy. */
  message: string
}

/** The plan of a job of reinforcement learning. */
export interface PreparedRl {
  settings: RlSettings
  /** Tokens of a row at most. */
  rowLength: number
  /** In the order of training. One gradient step each: their number is `num_sequences` of the first event. */
  rows: RlRow[]
  /** Set if there are no rows. */
  nothingToTrain: NothingToTrain | null
  /** Metrics of the checkpoint, by the names on the wire; the averages of the gradient steps are added. */
  metrics: Record<string, number>
  /** For the history of the model, `scale_learning_rate_by_reward_std_dev` included; also where nothing is trained. */
  rewards: { reward: number; rewardStdDev: number }
  /** Notes for the sender, for the first event: settings without effect, truncated or omitted data. */
  notes: string[]
  /** The config with every default filled in, by the names on the wire. */
  resolvedConfig: Record<string, unknown>
}
