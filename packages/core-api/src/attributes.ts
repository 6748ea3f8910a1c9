/** Path, below the base address, to which OpenTelemetry exporters send. */
export const otlpTracesPath = '/otel/v1/traces'

/** Request header that names the project, as `entity/project`, for resources without project attributes. Servers also take `project_id`, which some proxies drop. */
export const projectHeader = 'project-id'

/** Request header that names the training run to which spans belong. */
export const runHeader = 'wb_run_id'

/** Resource attributes that choose the project; together they win over the header. */
export const resourceAttribute = { entity: 'wandb.entity', project: 'wandb.project' } as const

/** Span attributes that become fields of the call. */
export const spanAttribute = {
  displayName: 'wandb.display_name',
  threadId: 'wandb.thread_id',
  isTurn: 'wandb.is_turn',
  /** An object, or its JSON text, whose members become attributes of the call. */
  attributes: 'wandb.attributes',
  runId: 'wandb.wb_run_id',
  runStep: 'wandb.wb_run_step',
  runStepEnd: 'wandb.wb_run_step_end',
} as const

/**
 * Span attributes that link a trace to training: data collection writes them, and trajectories are found by them.
 * All spans of an attempt carry the first four, spans of model calls the next three, its root span the reward.
 */
export const trajectoryAttribute = {
  /** One batch of data collection. */
  rolloutId: 'heddle.rollout_id',
  /** Attempts at one task, which are compared with each other. */
  groupId: 'heddle.group_id',
  /** One attempt. */
  trajectoryId: 'heddle.trajectory_id',
  /** Index of the attempt in its group, from 0. */
  attemptIndex: 'heddle.attempt_index',
  /** Index of the choice in its trajectory, from 0. */
  choiceIndex: 'heddle.choice_index',
  /** The choices of a model call as they were sampled, with log-probabilities and token ids, as JSON text: what trajectories are rebuilt from. */
  choices: 'heddle.choices',
  policyModel: 'heddle.policy.model',
  /** Training step of the weights that made the choice. */
  policyVersion: 'heddle.policy.version',
  rewardValue: 'heddle.reward.value',
  rewardName: 'heddle.reward.name',
  rewardSource: 'heddle.reward.source',
} as const
