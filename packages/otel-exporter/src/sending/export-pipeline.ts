import { concatBytes, type Bytes } from '../encoding/concat-bytes.ts'
import { sleep, waitAtMost } from './clock.ts'
import { drainSpool } from './drain-spool.ts'
import { countDrop, describeDrops, type DropReason, type ExporterStats } from './export-stats.ts'
import { ExportQueue, type QueuedSpan } from './export-queue.ts'
import { createReceipt, type Receipt } from './receipt.ts'
import { sendBatch, type BatchDeps, type BatchFate, type BatchResult } from './send-batch.ts'
import { SpanLedger } from './span-ledger.ts'
import type { Spool, SpoolFrame } from './spool.ts'
import type { ReadableSpan, SpanResource } from '../readable-span.ts'

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

export interface PipelineDeps extends Omit<BatchDeps, 'stats'> {
  settings: PipelineSettings
  spool: Spool | undefined
}

export interface AddedSpan {
  span: ReadableSpan
  /** True for spans that may go first when the queue is full. */
  expendable: boolean
  receipt?: Receipt | undefined
}

const refusalPauseMs = 60_000
/** Spans from here on keep their source, so that they can be shortened. */
const largeSpanBytes = 65_536
const resourceTimeoutMs = 1000
/** Between looks whether a server that was away takes what waits on disk. */
const drainPauseMs = 5000
/** Part of the time for shutdown that goes to sending; the rest is for the spool. */
const flushShare = 0.8
/** Part of the time for flushes after which an export is answered, so that the SDK, whose exports end with it, has its answer before. */
const exportShare = 0.8

/** The way of spans to the server. Nothing throws into the program; only `flush` and `whenBelow` reject. */
export class ExportPipeline {
  readonly #deps: PipelineDeps
  readonly #batchDeps: BatchDeps
  readonly #ledger: SpanLedger
  readonly #queue = new ExportQueue()
  readonly #flying = new Set<QueuedSpan[]>()
  readonly #stop = new AbortController()
  #sequence = 0
  #flyingBytes = 0
  /** So many spans at the head of the queue do not wait for others. */
  #due = 0
  #cancelTimer: (() => void) | undefined
  #cancelPause: (() => void) | undefined
  #pausedUntil = Number.NEGATIVE_INFINITY
  /** Whether spans go to the spool at once, because the server did not take those before. */
  #isAway = false
  #refusedUntil: number | undefined
  #cancelDrain: (() => void) | undefined
  /** What other processes left is found before anything is sent from the spool, since it comes first. */
  #recovering: Promise<void> | undefined
  #draining: Promise<void> | undefined
  #closing: Promise<void> | undefined

  constructor(deps: PipelineDeps) {
    this.#deps = deps
    this.#ledger = new SpanLedger(deps.clock)
    this.#batchDeps = { ...deps, stats: this.#ledger.stats }
    if (deps.spool === undefined) return
    this.#recovering = this.#recover(deps.spool)
    void this.#drain()
  }

  /** Counts so far; the object is the caller's own. */
  stats(): ExporterStats {
    const queued = this.#queue.count
    const { stats, openCount } = this.#ledger
    return { ...stats, droppedBy: { ...stats.droppedBy }, queued, inFlight: openCount - queued }
  }

  countLeftOut(why: 'filtered' | 'sampledOut'): void {
    this.#ledger.stats[why]++
  }

  /**
   * For the spans of one export. `done` gets a problem when some were dropped; those that wait for a server that is away are kept, and no
   * problem. It is called within the time limit of exports.
   */
  openReceipt(spans: number, done: (problem: string | undefined) => void): Receipt {
    const { clock, timeoutMs, settings, log } = this.#deps
    const limitMs = Math.min(timeoutMs, settings.flushTimeoutMs * exportShare)
    return createReceipt({ clock, timeoutMs: limitMs }, spans, (problem) => {
      try {
        done(problem)
      } catch (error) {
        log.error('callback', `an export callback threw: ${String(error)}`)
      }
    })
  }

  add({ span, expendable, receipt }: AddedSpan): void {
    this.#ledger.stats.ended++
    const bytes = this.#encode(span)
    if (typeof bytes === 'string') {
      countDrop(this.#ledger.stats, bytes, 1)
      receipt?.settle(bytes)
      return
    }
    const entry = {
      bytes,
      resource: span.resource,
      scope: span.instrumentationScope,
      name: span.name,
      source: bytes.length >= largeSpanBytes ? span : undefined,
      expendable,
      receipt,
      sequence: ++this.#sequence,
      isSettled: false,
    }
    this.#ledger.open(entry)
    this.#queue.add(entry)
    if (this.#deps.settings.mode === 'immediate') this.push()
    else if (this.#isBatchFull()) this.#pump()
    else this.#startTimer()
    if (this.#isFull()) this.#makeRoom()
  }

  /** Sends what waits now, without waiting for more. */
  push(): void {
    this.#due = this.#queue.count
    this.#pump()
  }

  /**
   * Resolves when all spans added before have been answered for. The process stays alive until then.
   * @throws Error with counts, when that takes longer.
   */
  flush(timeoutMs = this.#deps.settings.flushTimeoutMs): Promise<void> {
    this.push()
    return this.#ledger.untilSettled(this.#sequence, { what: 'flush', timeoutMs })
  }

  /**
   * Resolves when fewer than `spans` are queued or in flight, for programs that make spans faster than they can be sent. The process stays
   * alive until then.
   * @throws Error with counts, when that takes longer.
   */
  whenBelow(spans: number, timeoutMs = this.#deps.settings.flushTimeoutMs): Promise<void> {
    this.push()
    return this.#ledger.untilBelow(spans, { what: 'whenBelow', timeoutMs })
  }

  /** Flushes within the time limit of shutdowns, then spools or drops the rest. The process stays alive until then. The same promise each time. */
  shutdown(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Writes everything that is not answered for to the spool before it returns, for the end of the process. */
  spillNow(): void {
    const { spool } = this.#deps
    if (spool === undefined) return
    for (const spans of this.#flying) this.#spillBatch(spool, spans)
    while (this.#queue.count > 0) this.#spillBatch(spool, this.#takeBatch())
  }

  #encode(span: ReadableSpan): Bytes | DropReason {
    if (this.#closing !== undefined) return 'shutdown'
    if (this.#refusedUntil !== undefined && this.#deps.clock.now() < this.#refusedUntil) return 'unauthorized'
    try {
      return this.#deps.encoding.encodeSpan(span)
    } catch (error) {
      this.#deps.log.error('unencodable', `failed to encode a span, which was dropped: ${String(error)}`)
      return 'unencodable'
    }
  }

  #isFull(): boolean {
    const { maxQueueSpans, maxQueueBytes } = this.#deps.settings
    return this.#queue.count > maxQueueSpans || (this.#queue.count > 0 && this.#queue.bytes + this.#flyingBytes > maxQueueBytes)
  }

  #makeRoom(): void {
    const { settings, spool } = this.#deps
    while (this.#isFull()) {
      if (spool !== undefined && settings.mode === 'lossless') this.#spillBatch(spool, this.#takeBatch())
      else this.#dropOne()
    }
  }

  #dropOne(): void {
    const span = this.#queue.evict() ?? this.#queue.takeNewest()
    if (span === undefined) return
    this.#ledger.settle([span], { status: 'dropped', reason: 'queue-full', problem: 'the queue is full' })
    this.#deps.log.warn('queue-full', `the queue is full, dropping spans; dropped so far: ${describeDrops(this.#ledger.stats)}`)
  }

  #isBatchFull(): boolean {
    const { maxBatchSpans, maxBatchBytes } = this.#deps.settings
    return this.#queue.count >= maxBatchSpans || this.#queue.bytes >= maxBatchBytes
  }

  #takeBatch(): QueuedSpan[] {
    const { maxBatchSpans: spans, maxBatchBytes: bytes } = this.#deps.settings
    const taken = this.#queue.take({ spans, bytes })
    this.#due = Math.max(0, this.#due - taken.length)
    return taken
  }

  #startTimer(): void {
    this.#cancelTimer ??= this.#deps.clock.after(this.#deps.settings.scheduleDelayMs, () => {
      this.#cancelTimer = undefined
      this.push()
    })
  }

  /** Starts as many requests as are due and allowed. */
  #pump(): void {
    const isDue = () => this.#queue.count > 0 && (this.#due > 0 || this.#isBatchFull())
    while (this.#flying.size < this.#deps.settings.concurrency && isDue() && !this.#isPaused()) {
      const spans = this.#takeBatch()
      this.#flying.add(spans)
      this.#flyingBytes += bytesOf(spans)
      void this.#send(spans)
    }
    if (this.#queue.count > 0 && !isDue()) this.#startTimer()
  }

  /** Whether a server that is away is to be left alone for now. */
  #isPaused(): boolean {
    const left = this.#pausedUntil - this.#deps.clock.now()
    if (left <= 0 || this.#isAway || this.#stop.signal.aborted) return false
    this.#cancelPause ??= this.#deps.clock.after(left, () => {
      this.#cancelPause = undefined
      this.#pump()
    })
    return true
  }

  async #send(spans: QueuedSpan[]): Promise<void> {
    await this.#waitForResources(spans).catch(() => undefined)
    const results = (await this.#spoolWhileAway(spans))
      ? []
      : await sendBatch(this.#batchDeps, spans, this.#stop.signal).catch((error: unknown) => this.#giveUp(spans, error))
    for (const { spans, fate } of results) await this.#conclude(spans, fate)
    this.#flying.delete(spans)
    this.#flyingBytes -= bytesOf(spans)
    if (results.some(({ fate }) => fate.status === 'sent')) {
      this.#isAway = false
      void this.#drain()
    }
    this.#makeRoom()
    this.#pump()
  }

  #giveUp(spans: QueuedSpan[], error: unknown): BatchResult {
    const problem = `failed to send ${spans.length} spans: ${String(error)}`
    this.#deps.log.error('unsendable', `${problem}; they were dropped`)
    return [{ spans, fate: { status: 'dropped', reason: 'unencodable', problem } }]
  }

  async #conclude(spans: QueuedSpan[], fate: BatchFate): Promise<void> {
    if (fate.status === 'unavailable') return this.#keep(spans, fate)
    this.#ledger.settle(spans, fate)
    if (fate.status === 'dropped' && fate.reason === 'unauthorized') this.#refuse()
  }

  /** After a refused key, spans are dropped unseen for a minute: asking again would change nothing. */
  #refuse(): void {
    this.#refusedUntil = this.#deps.clock.now() + refusalPauseMs
    this.#ledger.settle(this.#queue.takeAll(), { status: 'dropped', reason: 'unauthorized', problem: 'the API key was rejected' })
  }

  /** Spans that the server could not take now go to the spool, or wait for it. */
  async #keep(all: QueuedSpan[], { reason, afterMs }: { reason: string; afterMs: number }): Promise<void> {
    const { spool, clock, log } = this.#deps
    const spans = this.#ledger.stillOpen(all)
    if (spans.length === 0) return
    const problem = `cannot reach the server (${reason})`
    this.#pausedUntil = Math.max(this.#pausedUntil, clock.now() + afterMs)
    if (spool !== undefined && (await this.#append(spool, spans))) {
      log.warn('unavailable', `${problem}; keeping spans on disk to send later`)
      this.#isAway = true
    } else if (this.#stop.signal.aborted) {
      this.#ledger.settle(spans, { status: 'dropped', reason: 'shutdown', problem })
    } else {
      log.warn('unavailable', `${problem}; keeping spans in memory to send later`)
      this.#putBack(spans)
    }
  }

  /** While the server is known to be away, spans do not wait for the end of attempts that would fail, but go where they are safe. */
  async #spoolWhileAway(all: QueuedSpan[]): Promise<boolean> {
    const { spool } = this.#deps
    if (!this.#isAway || spool === undefined) return false
    this.#isAway = await this.#append(spool, this.#ledger.stillOpen(all))
    return this.#isAway
  }

  async #append(spool: Spool, spans: readonly QueuedSpan[]): Promise<boolean> {
    if (!(await spool.append(this.#toFrame(spans)))) return false
    this.#ledger.settle(spans, { status: 'spooled' })
    this.#drainLater()
    return true
  }

  /** For the SDK the export is over: these spans are kept here until they are sent, or dropped and counted. */
  #putBack(spans: QueuedSpan[]): void {
    for (const span of spans) {
      span.receipt?.settle(undefined)
      span.receipt = undefined
    }
    this.#queue.putBack(spans)
    this.#due += spans.length
  }

  /** Resources may still be finding out about their machine; waits for that a second at most. */
  async #waitForResources(spans: readonly QueuedSpan[]): Promise<void> {
    const pending = new Set<SpanResource>()
    for (const { resource } of spans) if (resource.asyncAttributesPending === true) pending.add(resource)
    if (pending.size === 0) return
    const known = Promise.allSettled([...pending].map((resource) => resource.waitForAsyncAttributes?.()))
    await Promise.race([known, sleep(this.#deps.clock, resourceTimeoutMs, this.#stop.signal)])
  }

  #spillBatch(spool: Spool, spans: readonly QueuedSpan[]): void {
    const open = this.#ledger.stillOpen(spans)
    if (open.length === 0) return
    const isKept = spool.appendNow(this.#toFrame(open))
    this.#ledger.settle(open, isKept ? { status: 'spooled' } : { status: 'dropped', reason: 'spool-full', problem: 'the spool is full' })
    if (!isKept) this.#deps.log.error('spool-full', `the spool is full, dropping spans: ${describeDrops(this.#ledger.stats)}`)
  }

  #toFrame(spans: readonly QueuedSpan[]): SpoolFrame {
    return { body: concatBytes(this.#deps.encoding.joinRequest(spans)), spans: spans.length }
  }

  async #recover(spool: Spool): Promise<void> {
    const recovered = await spool.recover().catch((error: unknown) => {
      this.#deps.log.error('recover', `failed to recover spans of earlier processes from the spool: ${String(error)}`)
      return 0
    })
    this.#ledger.stats.recovered += recovered
    this.#ledger.stats.spooled += recovered
  }

  async #drain(): Promise<void> {
    const { spool } = this.#deps
    if (spool === undefined || this.#draining !== undefined) return
    this.#draining = this.#recovering?.then(async () => {
      const end = await drainSpool({ ...this.#batchDeps, spool }, this.#stop.signal)
      this.#isAway = end === 'unavailable'
    })
    await this.#draining?.catch((error: unknown) =>
      this.#deps.log.error('drain', `failed to send the spool, its spans are kept: ${String(error)}`),
    )
    this.#draining = undefined
    if (this.#ledger.stats.spooled > 0) this.#drainLater()
  }

  #drainLater(): void {
    if (this.#stop.signal.aborted) return
    this.#cancelDrain ??= this.#deps.clock.after(drainPauseMs, () => {
      this.#cancelDrain = undefined
      void this.#drain()
    })
  }

  async #close(): Promise<void> {
    const { settings, clock, spool, log, transport } = this.#deps
    const end = clock.now() + settings.shutdownTimeoutMs
    await this.flush(settings.shutdownTimeoutMs * flushShare).catch(() => undefined)
    this.#cancelTimer?.()
    this.#cancelPause?.()
    this.#cancelDrain?.()
    this.#stop.abort()
    const rest = { status: 'dropped', reason: 'shutdown', problem: 'the exporter was shut down' } as const
    if (spool === undefined) this.#ledger.settle(this.#queue.takeAll(), rest)
    else while (this.#queue.count > 0) this.#spillBatch(spool, this.#takeBatch())
    const left = { what: 'shutdown', timeoutMs: Math.max(0, end - clock.now()) }
    await this.#ledger
      .untilSettled(this.#sequence, left)
      .catch(() => (spool === undefined ? this.#ledger.settle([...this.#flying].flat(), rest) : this.spillNow()))
    // A frame that was sent is removed before the process goes, or the next one would send it again.
    await waitAtMost(clock, Math.max(0, end - clock.now()), Promise.resolve(this.#draining))
    transport.close()
    if (this.#ledger.stats.dropped > 0) log.warn('shutdown', `spans were dropped: ${describeDrops(this.#ledger.stats)}`)
  }
}

function bytesOf(spans: readonly QueuedSpan[]): number {
  let sum = 0
  for (const { bytes } of spans) sum += bytes.length
  return sum
}
