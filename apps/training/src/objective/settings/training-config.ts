/**
 * A client's config of reinforcement learning, by its names on the wire. Every field is optional and null means absent; unknown ones are ignored.
 * `resolveRlSettings` fills in the defaults.
 */
export interface TrainingConfig {
  advantage_balance?: number | null | undefined
  allow_training_without_logprobs?: boolean | null | undefined
  distillation_teacher?: string | null | undefined
  epsilon?: number | null | undefined
  epsilon_high?: number | null | undefined
  importance_sampling_level?: string | null | undefined
  kimi_k2_tau?: number | null | undefined
  kl_penalty_coef?: number | null | undefined
  kl_penalty_reference_step?: number | null | undefined
  kl_penalty_source?: string | null | undefined
  kl_penalty_step_lag?: number | null | undefined
  kl_ref_adapter_path?: string | null | undefined
  learning_rate?: number | null | undefined
  logprob_calculation_chunk_size?: number | null | undefined
  loss_fn?: string | null | undefined
  mask_prob_ratio?: boolean | null | undefined
  max_negative_advantage_importance_sampling_weight?: number | null | undefined
  normalize_advantages?: boolean | null | undefined
  num_trajectories_learning_rate_multiplier_power?: number | null | undefined
  packed_sequence_length?: number | null | undefined
  plot_tensors?: boolean | null | undefined
  ppo?: boolean | null | undefined
  precalculate_logprobs?: boolean | null | undefined
  scale_learning_rate_by_reward_std_dev?: boolean | null | undefined
  scale_rewards?: boolean | null | undefined
  seed?: number | null | undefined
  truncated_importance_sampling?: number | null | undefined
}
