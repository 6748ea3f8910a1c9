import type { Bytes } from '../encoding/concat-bytes.ts'
import type { ReadableSpan } from '../spans/readable-span.ts'
import type { Spool } from '../spool/spool.ts'
import { Spooler } from '../spool/spooler.ts'
import { BatchQueue } from './batch-queue.ts'
import { BatchSender } from './batch-sender.ts'
import { waitAtMost } from '../clock.ts'
import { countDrop, describeDrops, type DropReason, type ExporterStats } from '../ledger/export-stats.ts'
import type { PipelineSettings } from './pipeline-settings.ts'
import { createReceipt, type Receipt } from '../ledger/receipt.ts'
import type { BatchDeps } from './send-batch.ts'
import { SpanLedger } from '../ledger/span-ledger.ts'

export interface PipelineDeps extends Omit<BatchDeps, 'stats'> {
  /** URL of the server, for messages. */
  url: string
  settings: PipelineSettings
  spool: Spool | undefined
}

export interface AddedSpan {
  span: ReadableSpan
  /** True for spans that are dropped first when the queue is full. */
  expendable: boolean
  receipt?: Receipt | undefined
}

/** Spans from here on keep their source, so that they can be shortened. */
const largeSpanBytes = 65_536
/** Share of the shutdown timeout for sending; the rest is for the spool. */
const flushShare = 0.8
/** Share of the flush timeout after which an export calls back, so that the SDK gets the result before its own timeout. */
const exportShare = 0.8

/** Sends spans to the server. Never throws into the program; only `flush` and `whenBelow` reject. */
export class ExportPipeline {
  readonly #deps: PipelineDeps
  readonly #ledger: SpanLedger
  readonly #queue: BatchQueue
  readonly #spooler: Spooler | undefined
  readonly #sender: BatchSender
  readonly #stop = new AbortController()
  #sequence = 0
  #closing: Promise<void> | undefined

  constructor(deps: PipelineDeps) {
    this.#deps = deps
    this.#ledger = new SpanLedger(deps.clock)
    this.#queue = new BatchQueue(deps.settings)
    const { spool } = deps
    const sending = { ...deps, ledger: this.#ledger, stats: this.#ledger.stats, stop: this.#stop.signal }
    if (spool !== undefined) this.#spooler = new Spooler({ ...sending, spool })
    this.#sender = new BatchSender({ ...sending, queue: this.#queue, spooler: this.#spooler, onConcluded: () => this.#makeRoom() })
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
   * For the spans of one export. `done` gets a problem when some were dropped; those kept for an unavailable server are not a
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
    else this.#sender.spanAdded()
    this.#makeRoom()
  }

  /** Sends all queued spans, without waiting for more. */
  push(): void {
    this.#sender.push()
  }

  /**
   * Resolves when all spans added before are settled. The process is kept alive until then.
   * @throws Error with counts, when that takes longer.
   */
  flush(timeoutMs = this.#deps.settings.flushTimeoutMs): Promise<void> {
    this.push()
    return this.#ledger.untilSettled(this.#sequence, { what: 'flush', timeoutMs })
  }

  /**
   * Resolves when fewer than `spans` are queued or in flight, for programs that produce spans faster than they can be sent. The process is kept alive
   * until then.
   * @throws Error with counts, when that takes longer.
   */
  whenBelow(spans: number, timeoutMs = this.#deps.settings.flushTimeoutMs): Promise<void> {
    this.push()
    return this.#ledger.untilBelow(spans, { what: 'whenBelow', timeoutMs })
  }

  /**
   * Flushes within the time limit of shutdowns, then spools or drops the rest. The process is kept alive until then. Returns the same promise each
   * time.
   */
  shutdown(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  /** Writes all open spans to the spool synchronously, for the exit of the process. */
  spillNow(): void {
    if (this.#spooler === undefined) return
    for (const spans of this.#sender.inFlight) this.#spooler.spillNow(spans)
    this.#spillQueue(this.#spooler)
  }

  #encode(span: ReadableSpan): Bytes | DropReason {
    if (this.#closing !== undefined) return 'shutdown'
    if (this.#sender.isRefused) return 'unauthorized'
    try {
      return this.#deps.encoding.encodeSpan(span)
    } catch (error) {
      this.#deps.log.error('unencodable', `failed to encode a span, which was dropped: ${String(error)}`)
      return 'unencodable'
    }
  }

  #makeRoom(): void {
    while (this.#queue.isFull(this.#sender.bytesInFlight)) {
      if (this.#spooler !== undefined && this.#deps.settings.mode === 'lossless') this.#spooler.spillNow(this.#queue.takeBatch())
      else this.#dropOne()
    }
  }

  #dropOne(): void {
    const span = this.#queue.takeLeast()
    if (span === undefined) return
    this.#ledger.settle([span], { status: 'dropped', reason: 'queue-full', problem: 'the queue is full' })
    this.#deps.log.warn('queue-full', `the queue is full, dropping spans; dropped so far: ${describeDrops(this.#ledger.stats)}`)
  }

  /** With the address and the reason where the server was away to the end: no other message may have named them. */
  #explainDrops(): string {
    const { stats } = this.#ledger
    const outage = stats.droppedBy.shutdown === undefined ? undefined : this.#sender.lastOutage
    return outage === undefined ? describeDrops(stats) : `${describeDrops(stats)}; ${outage}`
  }

  #spillQueue(spooler: Spooler): void {
    while (this.#queue.count > 0) spooler.spillNow(this.#queue.takeBatch())
  }

  async #close(): Promise<void> {
    const { settings, clock, log, transport } = this.#deps
    const end = clock.now() + settings.shutdownTimeoutMs
    await this.flush(settings.shutdownTimeoutMs * flushShare).catch(() => undefined)
    this.#stop.abort()
    const rest = { status: 'dropped', reason: 'shutdown', problem: 'the exporter was shut down' } as const
    if (this.#spooler === undefined) this.#ledger.settle(this.#queue.takeAll(), rest)
    else this.#spillQueue(this.#spooler)
    const left = { what: 'shutdown', timeoutMs: Math.max(0, end - clock.now()) }
    await this.#ledger
      .untilSettled(this.#sequence, left)
      .catch(() => (this.#spooler === undefined ? this.#ledger.settle([...this.#sender.inFlight].flat(), rest) : this.spillNow()))
    // A frame that was sent is removed before the process exits, or the next one would send it again.
    await waitAtMost(clock, Math.max(0, end - clock.now()), Promise.resolve(this.#spooler?.untilIdle()))
    transport.close()
    if (this.#ledger.stats.dropped > 0) log.warn('shutdown', `spans were dropped: ${this.#explainDrops()}`)
  }
}
