import type { KlReference, RlSettings } from './rl-settings.ts'

/** The settings by their names on the wire, with every default filled in; null is off. */
export function describeRlSettings(settings: RlSettings, rowLength: number): Record<string, unknown> {
  const { loss } = settings
  return {
    learning_rate: settings.learningRate,
    scale_rewards: settings.scaleRewards,
    normalize_advantages: settings.scaleRewards,
    advantage_balance: settings.advantageBalance,
    distillation_teacher: settings.teacher,
    loss_fn: loss.lossFunction,
    ppo: loss.lossFunction === 'ppo',
    epsilon: loss.epsilon,
    epsilon_high: loss.epsilonHigh,
    importance_sampling_level: loss.level,
    max_negative_advantage_importance_sampling_weight: loss.ratioCap,
    mask_prob_ratio: loss.maskRatio,
    kimi_k2_tau: loss.kimiTau === 0 ? null : loss.kimiTau,
    kl_penalty_coef: loss.klCoefficient,
    kl_penalty_source: loss.klSource,
    ...describeReference(settings.klReference),
    precalculate_logprobs: settings.precalculateLogProbabilities,
    truncated_importance_sampling: loss.truncation,
    scale_learning_rate_by_reward_std_dev: settings.scaleLearningRateByRewardStdDev,
    num_trajectories_learning_rate_multiplier_power: settings.trajectoriesPower,
    logprob_calculation_chunk_size: settings.chunkSize,
    packed_sequence_length: rowLength,
    plot_tensors: settings.plotTensors,
    seed: settings.seed,
    allow_training_without_logprobs: settings.allowTrainingWithoutLogProbabilities,
  }
}

function describeReference(reference: KlReference) {
  return {
    kl_penalty_reference_step: reference.kind === 'step' ? reference.step : null,
    kl_penalty_step_lag: reference.kind === 'lag' ? reference.steps : null,
    kl_ref_adapter_path: reference.kind === 'artifact' ? reference.address : null,
  }
}
