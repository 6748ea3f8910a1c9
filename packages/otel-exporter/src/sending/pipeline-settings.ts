export interface PipelineSettings {
  /** Requests at once; at the limit spans wait. */
  concurrency: number
  /** How long the first span of a batch waits for others. */
  scheduleDelayMs: number
  /** For `flush` and `whenBelow` without a limit of their own. */
  flushTimeoutMs: number
  shutdownTimeoutMs: number
  /** Queued, besides those in flight. */
  maxQueueSpans: number
  /** Queued and in flight together. */
  maxQueueBytes: number
  maxBatchSpans: number
  maxBatchBytes: number
  /** `batch` waits for others, `immediate` sends each span at once, `lossless` spills to the spool what the queue cannot hold. */
  mode: 'batch' | 'immediate' | 'lossless'
}
