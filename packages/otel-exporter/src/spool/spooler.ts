import { concatBytes } from '../encoding/concat-bytes.ts'
import type { QueuedSpan } from '../ledger/queued-span.ts'
import { describeDrops } from '../ledger/export-stats.ts'
import type { SpanLedger } from '../ledger/span-ledger.ts'
import { drainSpool, type DrainDeps } from './drain-spool.ts'
import type { SpoolFrame } from './spool.ts'

export interface SpoolerDeps extends DrainDeps {
  ledger: SpanLedger
  /** Ends requests; nothing is sent from the spool afterwards, but spans are still kept. */
  stop: AbortSignal
}

/** Between looks whether a server that was away takes what waits on disk. */
const drainPauseMs = 5000

/** Keeps spans on disk while the server does not take them, and sends them when it does. Nothing here rejects. */
export class Spooler {
  readonly #deps: SpoolerDeps
  /** Frames of other processes are found before anything is sent, since they are older. */
  readonly #recovering: Promise<void>
  #draining: Promise<void> | undefined
  #cancelDrain: (() => void) | undefined
  #isServerAway = false

  constructor(deps: SpoolerDeps) {
    this.#deps = deps
    this.#recovering = this.#recover()
    deps.stop.addEventListener('abort', () => this.#cancelDrain?.(), { once: true })
    void this.#drain()
  }

  /** Whether spans are spooled immediately, because the server did not accept earlier ones. */
  get isServerAway(): boolean {
    return this.#isServerAway
  }

  /** Keeps spans that the server did not take. False when the disk does not take them either; nothing is answered for then. */
  async keep(spans: readonly QueuedSpan[]): Promise<boolean> {
    if (!(await this.#append(spans))) return false
    this.#isServerAway = true
    return true
  }

  /** While the server is known to be unavailable, spans do not wait for attempts that would fail, but are spooled. */
  async keepWhileAway(spans: readonly QueuedSpan[]): Promise<boolean> {
    if (!this.#isServerAway) return false
    this.#isServerAway = await this.#append(this.#deps.ledger.stillOpen(spans))
    return this.#isServerAway
  }

  /** Keeps spans before it returns; drops those that do not fit. */
  spillNow(spans: readonly QueuedSpan[]): void {
    const { ledger, spool, log } = this.#deps
    const open = ledger.stillOpen(spans)
    if (open.length === 0) return
    const isKept = spool.appendNow(this.#toFrame(open))
    ledger.settle(open, isKept ? { status: 'spooled' } : { status: 'dropped', reason: 'spool-full', problem: 'the spool is full' })
    if (!isKept) log.error('spool-full', `the spool is full, dropping spans: ${describeDrops(ledger.stats)}`)
  }

  /** The server took spans just now, so it may take those on disk. */
  serverAnswered(): void {
    this.#isServerAway = false
    void this.#drain()
  }

  /** Resolves when nothing is being sent from the disk: a sent file has been removed then. */
  async untilIdle(): Promise<void> {
    await this.#draining?.catch(() => undefined)
  }

  async #append(spans: readonly QueuedSpan[]): Promise<boolean> {
    const { spool, ledger } = this.#deps
    // A shutdown whose time is over meanwhile has put them on disk itself.
    if (!(await spool.append(this.#toFrame(spans), () => ledger.stillOpen(spans).length > 0))) return false
    ledger.settle(spans, { status: 'spooled' })
    this.#drainLater()
    return true
  }

  #toFrame(spans: readonly QueuedSpan[]): SpoolFrame {
    return { body: concatBytes(this.#deps.encoding.joinRequest(spans)), spans: spans.length }
  }

  async #recover(): Promise<void> {
    const { spool, stats, log } = this.#deps
    const recovered = await spool.recover().catch((error: unknown) => {
      log.error('recover', `failed to recover spans of earlier processes from the spool: ${String(error)}`)
      return 0
    })
    stats.recovered += recovered
    stats.spooled += recovered
  }

  async #drain(): Promise<void> {
    const { stop, stats, log } = this.#deps
    if (this.#draining !== undefined) return
    this.#draining = this.#recovering.then(async () => {
      const end = await drainSpool(this.#deps, stop)
      this.#isServerAway = end === 'unavailable'
    })
    await this.#draining.catch((error: unknown) => log.error('drain', `failed to send the spool, its spans are kept: ${String(error)}`))
    this.#draining = undefined
    if (stats.spooled > 0) this.#drainLater()
  }

  #drainLater(): void {
    const { stop, clock } = this.#deps
    if (stop.aborted) return
    this.#cancelDrain ??= clock.after(drainPauseMs, () => {
      this.#cancelDrain = undefined
      void this.#drain()
    })
  }
}
