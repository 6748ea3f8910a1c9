export interface PipelineSettings {
  /** Concurrent requests; at the limit spans wait. */
  concurrency: number
  /** Maximum wait of the first span of a batch for others. */
  scheduleDelayMs: number
  /** Default timeout of `flush` and `whenBelow`. */
  flushTimeoutMs: number
  shutdownTimeoutMs: number
  /** Queued spans, without those in flight. */
  maxQueueSpans: number
  /** Queued and in flight together. */
  maxQueueBytes: number
  maxBatchSpans: number
  maxBatchBytes: number
  /** `batch` waits for others, `immediate` sends each span at once, `lossless` spills to the spool when the queue is full. */
  mode: 'batch' | 'immediate' | 'lossless'
}
