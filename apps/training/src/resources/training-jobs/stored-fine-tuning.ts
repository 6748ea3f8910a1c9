/** The request of a client of OpenAI that created a job, kept as JSON with the job. */
export interface StoredFineTuning {
  /** As in the request. */
  model: string
  /** `entity/project/name` of the model that is trained. */
  trained_model: string
  training_file: string
  validation_file: string | null
  method: 'supervised' | 'dpo'
  hyperparameters: FineTuningHyperparameters
  metadata: Record<string, string> | null
}

/** With numbers instead of `auto`. */
export interface FineTuningHyperparameters {
  n_epochs: number
  batch_size: number
  /** Times the learning rate that a job without one gets. */
  learning_rate_multiplier: number
  /** Of preference pairs. */
  beta: number
}
