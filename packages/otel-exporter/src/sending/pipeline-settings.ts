export interface PipelineSettings {
  /** Concurrent requests; at the limit spans wait. */
  concurrency: number
  /** Most milliseconds that the first span of a batch waits for more. */
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
  /** `batch` waits for more spans, `immediate` sends each span without delay, `lossless` spills to the spool when the queue is full. */
  mode: 'batch' | 'immediate' | 'lossless'
}
