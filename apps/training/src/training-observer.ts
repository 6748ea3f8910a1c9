/** Is called while models train, for counting. An attempt that continues an earlier one reports only its part, and the job again. */
export interface TrainingObserver {
  /** With the metrics of the training data, by the names on the wire. */
  onPrepared(kind: 'rl' | 'sft', metrics: Readonly<Record<string, number>>): void
  /** With the metrics of a gradient step, by the names on the wire. */
  onGradientStep(kind: 'rl' | 'sft', metrics: Readonly<Record<string, number>>): void
  /** With requests of the Tinker API that were worked on and not traced: too many waited, or they could not be stored. */
  onUntraced(reason: 'full' | 'failed', requests: number): void
}
