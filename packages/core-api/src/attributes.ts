/** Path, below the base address, to which OpenTelemetry exporters send. */
export const otlpTracesPath = '/otel/v1/traces'

/** Request header that names the project, as `entity/project`, for resources that name none. */
export const projectHeader = 'project_id'

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
