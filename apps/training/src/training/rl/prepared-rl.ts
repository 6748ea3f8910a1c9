import type { RlSettings } from '../../objective/settings/rl-settings.ts'
import type { PackedRow } from '../../sequences/packing/pack-rows.ts'
import type { LaidOutSequence } from '../../sequences/packing/row-layout.ts'

/** A sequence with what the whole job says about it: its advantage and weight, alike for each of its sampled tokens. */
export interface RlSequence extends LaidOutSequence {
  /** Sampled tokens of the trajectory, before anything was cut. */
  trajectoryTokens: number
}

/** Sequences of one optimizer step. */
export interface RlRow extends PackedRow<RlSequence> {
  learningRate: number
  /** Of a step, above 0 to 1: how much of its learning rate is used. */
  share: number
}

export type NothingToTrainReason =
  | 'no trajectories'
  | 'no logprobs'
  | 'equal rewards'
  | 'everything truncated'
  | 'advantage balance'
  | 'no examples'
  | 'no assistant text'

/** Why a job has no gradient step. It succeeds all the same, with unchanged weights. */
export interface NothingToTrain {
  reason: NothingToTrainReason
  /** Begins with the reason, and says what to change. */
  message: string
}

/** What a job of reinforcement learning is going to do. */
export interface PreparedRl {
  settings: RlSettings
  /** Tokens of a row at most. */
  rowLength: number
  /** In the order of training. One gradient step each: their number is `num_sequences` of the first event. */
  rows: RlRow[]
  /** Set when there are no rows. */
  nothingToTrain: NothingToTrain | null
  /** Of the checkpoint, by the names on the wire; the averages of the gradient steps come on top. */
  metrics: Record<string, number>
  /** For the history of the model, `scale_learning_rate_by_reward_std_dev` included; also where nothing is trained. */
  rewards: { reward: number; rewardStdDev: number }
  /** What the sender should know, for the first event: settings without effect, what was cut or left out. */
  notes: string[]
  /** The config with every default filled in, by the names on the wire. */
  resolvedConfig: Record<string, unknown>
}
