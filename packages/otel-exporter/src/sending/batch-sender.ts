import type { SpanResource } from '../spans/readable-span.ts'
import type { Spooler } from '../spool/spooler.ts'
import type { BatchQueue } from './batch-queue.ts'
import { type Clock, sleep } from '../clock.ts'
import type { QueuedSpan } from '../ledger/queued-span.ts'
import type { PipelineSettings } from './pipeline-settings.ts'
import { type BatchDeps, type BatchOutcome, type BatchResult, sendBatch } from './send-batch.ts'
import type { SpanLedger } from '../ledger/span-ledger.ts'

export interface BatchSenderDeps extends BatchDeps {
  /** URL of the server, for messages. */
  url: string
  settings: PipelineSettings
  queue: BatchQueue
  ledger: SpanLedger
  spooler: Spooler | undefined
  /** Aborts requests and waits. */
  stop: AbortSignal
  /** Called after each batch is settled, before the next is sent. */
  onConcluded(): void
}

const refusalPauseMs = 60_000

/** Takes batches from the queue when they are due, and sends several concurrently; what the server cannot take now is kept. Never rejects. */
export class BatchSender {
  readonly #deps: BatchSenderDeps
  readonly #flying = new Set<QueuedSpan[]>()
  #bytesInFlight = 0
  #cancelTimer: (() => void) | undefined
  #cancelPause: (() => void) | undefined
  #pausedUntil = Number.NEGATIVE_INFINITY
  #refusedUntil: number | undefined
  #outage: string | undefined

  constructor(deps: BatchSenderDeps) {
    this.#deps = deps
    const cancelTimers = () => {
      this.#cancelTimer?.()
      this.#cancelPause?.()
    }
    deps.stop.addEventListener('abort', cancelTimers, { once: true })
  }

  /** Batches in flight. */
  get inFlight(): Iterable<QueuedSpan[]> {
    return this.#flying
  }

  get bytesInFlight(): number {
    return this.#bytesInFlight
  }

  /** Whether the server refused the key less than a minute ago. */
  get isRefused(): boolean {
    return this.#refusedUntil !== undefined && this.#deps.clock.now() < this.#refusedUntil
  }

  /** Why the server could not take the last batch that it did not take. Undefined until then. */
  get lastOutage(): string | undefined {
    return this.#outage
  }

  /** After a span was added: sends a full batch, or starts to wait for more spans. */
  spanAdded(): void {
    if (this.#deps.queue.isBatchFull) this.#pump()
    else this.#startTimer()
  }

  /** Sends all queued spans, without waiting for more. */
  push(): void {
    this.#deps.queue.makeDue()
    this.#pump()
  }

  #startTimer(): void {
    this.#cancelTimer ??= this.#deps.clock.after(this.#deps.settings.scheduleDelayMs, () => {
      this.#cancelTimer = undefined
      this.push()
    })
  }

  /** Starts as many requests as are due and allowed. */
  #pump(): void {
    while (this.#flying.size < this.#deps.settings.concurrency && this.#deps.queue.isDue && !this.#isPaused()) {
      const spans = this.#deps.queue.takeBatch()
      this.#flying.add(spans)
      this.#bytesInFlight += bytesOf(spans)
      void this.#send(spans)
    }
    if (this.#deps.queue.count > 0 && !this.#deps.queue.isDue) this.#startTimer()
  }

  /** Whether to back off from an unavailable server. */
  #isPaused(): boolean {
    const left = this.#pausedUntil - this.#deps.clock.now()
    if (left <= 0 || this.#deps.spooler?.isServerAway === true || this.#deps.stop.aborted) return false
    this.#cancelPause ??= this.#deps.clock.after(left, () => {
      this.#cancelPause = undefined
      this.#pump()
    })
    return true
  }

  async #send(spans: QueuedSpan[]): Promise<void> {
    await waitForResources(spans, this.#deps.clock, this.#deps.stop).catch(() => undefined)
    const results = (await this.#deps.spooler?.keepWhileAway(spans))
      ? []
      : await sendBatch(this.#deps, spans, this.#deps.stop).catch((error: unknown) => this.#giveUp(spans, error))
    for (const { spans, outcome } of results) await this.#conclude(spans, outcome)
    this.#flying.delete(spans)
    this.#bytesInFlight -= bytesOf(spans)
    if (results.some(({ outcome }) => outcome.status === 'sent')) this.#deps.spooler?.serverAnswered()
    this.#deps.onConcluded()
    this.#pump()
  }

  #giveUp(spans: QueuedSpan[], error: unknown): BatchResult {
    const problem = `failed to send ${spans.length} spans: ${String(error)}`
    this.#deps.log.error('unsendable', `${problem}; they were dropped`)
    return [{ spans, outcome: { status: 'dropped', reason: 'unencodable', problem } }]
  }

  async #conclude(spans: QueuedSpan[], outcome: BatchOutcome): Promise<void> {
    if (outcome.status === 'unavailable') return this.#keep(spans, outcome)
    this.#deps.ledger.settle(spans, outcome)
    if (outcome.status === 'dropped' && outcome.reason === 'unauthorized') this.#refuse()
  }

  /** After a rejected key spans are dropped unsent for a minute: a retry would not succeed. */
  #refuse(): void {
    this.#refusedUntil = this.#deps.clock.now() + refusalPauseMs
    this.#deps.ledger.settle(this.#deps.queue.takeAll(), { status: 'dropped', reason: 'unauthorized', problem: 'the API key was rejected' })
  }

  /** Spans that the server could not accept are spooled, or wait. */
  async #keep(all: QueuedSpan[], { reason, afterMs }: { reason: string; afterMs: number }): Promise<void> {
    const { clock, log } = this.#deps
    const spans = this.#deps.ledger.stillOpen(all)
    if (spans.length === 0) return
    const problem = `cannot reach the server at ${this.#deps.url} (${reason})`
    this.#outage = problem
    this.#pausedUntil = Math.max(this.#pausedUntil, clock.now() + afterMs)
    if (await this.#deps.spooler?.keep(spans)) {
      log.warn('unavailable', `${problem}; keeping spans on disk to send later`)
    } else if (this.#deps.stop.aborted) {
      this.#deps.ledger.settle(spans, { status: 'dropped', reason: 'shutdown', problem })
    } else {
      log.warn('unavailable', `${problem}; keeping spans in memory to send later`)
      this.#putBack(spans)
    }
  }

  /** For the SDK the export is over: these spans are kept here until they are sent, or dropped and counted. */
  #putBack(spans: QueuedSpan[]): void {
    for (const span of spans) {
      span.receipt?.settle(undefined)
      span.receipt = undefined
    }
    this.#deps.queue.putBack(spans)
  }
}

function bytesOf(spans: readonly QueuedSpan[]): number {
  let sum = 0
  for (const { bytes } of spans) sum += bytes.length
  return sum
}

const resourceTimeoutMs = 1000

/** Waits for asynchronous resource attributes, for at most one second and only until the signal aborts. */
async function waitForResources(spans: readonly QueuedSpan[], clock: Clock, signal: AbortSignal): Promise<void> {
  const pending = new Set<SpanResource>()
  for (const { resource } of spans) if (resource.asyncAttributesPending === true) pending.add(resource)
  if (pending.size === 0) return
  const known = Promise.allSettled([...pending].map((resource) => resource.waitForAsyncAttributes?.()))
  await Promise.race([known, sleep(clock, resourceTimeoutMs, signal)])
}
