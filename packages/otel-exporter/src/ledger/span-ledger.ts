import type { Clock } from '../clock.ts'
import { countDrop, createStats, describeDrops, type DropReason } from './export-stats.ts'
import type { QueuedSpan } from './queued-span.ts'

/** Outcome of a span. */
export type Settlement =
  | { status: 'sent'; rejected: number }
  | { status: 'spooled' }
  | { status: 'dropped'; reason: DropReason; problem: string }

interface Waiter {
  /** Settled spans of a later sequence do not count. */
  last: number
  /** Spans to be settled first. */
  remaining: number
  resolve(): void
}

/** Tracks which spans are open, counts the outcomes of the settled ones, and resolves waiters. */
export class SpanLedger {
  readonly stats = createStats()
  readonly #clock: Clock
  #openCount = 0
  #waiters: Waiter[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get openCount(): number {
    return this.#openCount
  }

  open(span: QueuedSpan): void {
    this.#openCount++
    this.stats.pendingBytes += span.bytes.length
  }

  stillOpen(spans: readonly QueuedSpan[]): QueuedSpan[] {
    return spans.filter(({ isSettled }) => !isSettled)
  }

  /** Settles those of the spans that are still open. */
  settle(spans: readonly QueuedSpan[], settlement: Settlement): void {
    const open = this.stillOpen(spans)
    if (open.length === 0) return
    for (const span of open) {
      span.isSettled = true
      this.stats.pendingBytes -= span.bytes.length
    }
    this.#openCount -= open.length
    this.#count(open.length, settlement)
    const problem = settlement.status === 'dropped' ? settlement.problem : undefined
    for (const { receipt } of open) receipt?.settle(problem)
    this.#wake(open)
  }

  /** Resolves when the spans that are open now, up to the `last`, are settled. The process is kept alive meanwhile. */
  untilSettled(last: number, limit: { what: string; timeoutMs: number }): Promise<void> {
    return this.#until({ last, remaining: this.#openCount }, limit)
  }

  /** Resolves when fewer than this many spans are open, not counting those added meanwhile. The process is kept alive until then. */
  untilBelow(spans: number, limit: { what: string; timeoutMs: number }): Promise<void> {
    return this.#until({ last: Number.POSITIVE_INFINITY, remaining: this.#openCount - spans + 1 }, limit)
  }

  #until(wanted: Omit<Waiter, 'resolve'>, { what, timeoutMs }: { what: string; timeoutMs: number }): Promise<void> {
    if (wanted.remaining <= 0) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const waiter = { ...wanted, resolve: () => (cancel(), resolve()) }
      const giveUp = () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter)
        reject(new Error(`${what}: timed out after ${Math.round(timeoutMs)} ms; ${this.#describe()}`))
      }
      const cancel = this.#clock.after(timeoutMs, giveUp, { keepsProcessAlive: true })
      this.#waiters.push(waiter)
    })
  }

  #wake(settled: readonly QueuedSpan[]): void {
    if (this.#waiters.length === 0) return
    for (const waiter of this.#waiters) for (const { sequence } of settled) if (sequence <= waiter.last) waiter.remaining--
    const done = this.#waiters.filter(({ remaining }) => remaining <= 0)
    this.#waiters = this.#waiters.filter(({ remaining }) => remaining > 0)
    for (const waiter of done) waiter.resolve()
  }

  #count(spans: number, settlement: Settlement): void {
    if (settlement.status === 'dropped') countDrop(this.stats, settlement.reason, spans)
    else if (settlement.status === 'spooled') this.stats.spooled += spans
    else {
      const rejected = Math.min(settlement.rejected, spans)
      this.stats.rejected += rejected
      this.stats.sent += spans - rejected
    }
  }

  #describe(): string {
    const { sent, rejected, spooled } = this.stats
    return `${this.#openCount} spans pending, ${sent} sent, ${rejected} rejected, ${spooled} spooled, dropped: ${describeDrops(this.stats) || 'none'}`
  }
}
