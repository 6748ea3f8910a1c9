export const importanceSamplingLevels = ['token', 'sequence', 'average', 'geometric_average'] as const
/** The unit of the importance ratio: each token, the mean of its sequence (GSPO, Zheng et al. 2025), or a mean of both. */
export type ImportanceSamplingLevel = (typeof importanceSamplingLevels)[number]

export const klSources = ['current_learner', 'sample'] as const
/** Whose log-probabilities are compared with the reference: those of the weights being trained, or of those that sampled. */
export type KlSource = (typeof klSources)[number]

export const lossFunctions = ['cispo', 'ppo'] as const
/** CISPO (MiniMax-M1 2025): the ratio is a constant weight. PPO (Schulman et al. 2017): the clipped surrogate. */
export type LossFunction = (typeof lossFunctions)[number]

/** Settings of the loss of a row. Null and 0 are off. */
export interface LossSettings {
  lossFunction: LossFunction
  /** The ratio is clipped to 1 - epsilon and 1 + epsilonHigh. */
  epsilon: number
  epsilonHigh: number
  level: ImportanceSamplingLevel
  /** Ratios are at most this, whatever the sign of the advantage. */
  ratioCap: number | null
  /** Ratios outside the bounds become 0, before they are clipped. */
  maskRatio: boolean
  kimiTau: number
  klCoefficient: number
  klSource: KlSource
  /** The most that a token weighs for the mismatch between sampler and trainer (TIS, Yao et al. 2025). */
  truncation: number | null
}

/** The weights that a KL penalty compares with. */
export type KlReference =
  | { kind: 'base' }
  | { kind: 'step'; step: number }
  | { kind: 'lag'; steps: number }
  | { kind: 'artifact'; address: string }

/** Settings of a job of reinforcement learning: the client's config with every default filled in. */
export interface RlSettings {
  /** Before `learningRateMultiplier`. */
  learningRate: number
  /** The base model's own rate, if the one in force is too low to learn; null if it is in range. */
  suggestedLearningRate: number | null
  scaleLearningRateByRewardStdDev: boolean
  trajectoriesPower: number
  /** Advantages are divided by the standard deviation of their group. */
  scaleRewards: boolean
  advantageBalance: number
  loss: LossSettings
  /** The model that is learned from instead of rewards, by the name in the request; null learns from rewards. */
  teacher: string | null
  /** Used while `loss.klCoefficient` is above 0. */
  klReference: KlReference
  precalculateLogProbabilities: boolean
  allowTrainingWithoutLogProbabilities: boolean
  /** Tokens of a row; null takes the longest sequence, rounded up. */
  rowLength: number | null
  /** Automatic row lengths are a multiple of it; null where the client named none. */
  chunkSize: number | null
  plotTensors: boolean
  /** Decides the order of rows and the first weights of the adapter; null leaves both to the job. */
  seed: number | null
}
