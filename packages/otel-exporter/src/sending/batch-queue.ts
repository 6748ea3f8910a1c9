import type { QueuedSpan } from '../ledger/queued-span.ts'
import { ExportQueue } from './export-queue.ts'
import type { PipelineSettings } from './pipeline-settings.ts'

/** The queue of a pipeline with its limits, which decides when spans are due. */
export class BatchQueue {
  readonly #settings: PipelineSettings
  readonly #queue = new ExportQueue()
  /** This many spans at the head do not wait for more. */
  #due = 0

  constructor(settings: PipelineSettings) {
    this.#settings = settings
  }

  get count(): number {
    return this.#queue.count
  }

  get isBatchFull(): boolean {
    const { maxBatchSpans, maxBatchBytes } = this.#settings
    return this.#queue.count >= maxBatchSpans || this.#queue.bytes >= maxBatchBytes
  }

  /** Whether there is a batch that need not wait for more spans. */
  get isDue(): boolean {
    return this.#queue.count > 0 && (this.#due > 0 || this.isBatchFull)
  }

  /** Whether the limits are exceeded, together with this many bytes in flight. */
  isFull(bytesInFlight: number): boolean {
    const { maxQueueSpans, maxQueueBytes } = this.#settings
    return this.#queue.count > maxQueueSpans || (this.#queue.count > 0 && this.#queue.bytes + bytesInFlight > maxQueueBytes)
  }

  add(span: QueuedSpan): void {
    this.#queue.add(span)
  }

  /** Requeues spans at the front, in order; they are due. */
  putBack(spans: readonly QueuedSpan[]): void {
    this.#queue.putBack(spans)
    this.#due += spans.length
  }

  /** Makes all queued spans due. */
  makeDue(): void {
    this.#due = this.#queue.count
  }

  /** The oldest spans that fit one request. Empty when the queue is. */
  takeBatch(): QueuedSpan[] {
    const { maxBatchSpans: spans, maxBatchBytes: bytes } = this.#settings
    const taken = this.#queue.take({ spans, bytes })
    this.#due = Math.max(0, this.#due - taken.length)
    return taken
  }

  takeAll(): QueuedSpan[] {
    return this.#queue.takeAll()
  }

  /** Removes the least valuable span: the newest expendable one, else the newest. Undefined when the queue is empty. */
  takeLeast(): QueuedSpan | undefined {
    return this.#queue.evict() ?? this.#queue.takeNewest()
  }
}
