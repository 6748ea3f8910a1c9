import type { Clock } from './clock.ts'
import { countDrop, createStats, describeDrops, type DropReason } from './export-stats.ts'
import type { QueuedSpan } from './export-queue.ts'

/** How a span was answered for. */
export type Settlement =
  | { status: 'sent'; rejected: number }
  | { status: 'spooled' }
  | { status: 'dropped'; reason: DropReason; problem: string }

interface Waiter {
  isDone(): boolean
  resolve(): void
}

/** Knows which spans are still to be answered for, counts what became of the others, and tells who waits. */
export class SpanLedger {
  readonly stats = createStats()
  readonly #clock: Clock
  readonly #open = new Set<number>()
  #waiters: Waiter[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  get openCount(): number {
    return this.#open.size
  }

  open(span: QueuedSpan): void {
    this.#open.add(span.sequence)
    this.stats.pendingBytes += span.bytes.length
  }

  stillOpen(spans: readonly QueuedSpan[]): QueuedSpan[] {
    return spans.filter(({ sequence }) => this.#open.has(sequence))
  }

  /** Answers for those of the spans that nobody has answered for yet. */
  settle(spans: readonly QueuedSpan[], settlement: Settlement): void {
    const open = this.stillOpen(spans)
    if (open.length === 0) return
    for (const span of open) {
      this.#open.delete(span.sequence)
      this.stats.pendingBytes -= span.bytes.length
    }
    this.#count(open.length, settlement)
    const problem = settlement.status === 'dropped' ? settlement.problem : undefined
    for (const { receipt } of open) receipt?.settle(problem)
    this.#wake()
  }

  /** Resolves when no span up to the `last` is open. The set keeps its order of arrival, so the first is the oldest. */
  untilSettled(last: number, limit: { what: string; timeoutMs: number }): Promise<void> {
    return this.#until(limit, () => {
      for (const oldest of this.#open) return oldest > last
      return true
    })
  }

  untilBelow(spans: number, limit: { what: string; timeoutMs: number }): Promise<void> {
    return this.#until(limit, () => this.#open.size < spans)
  }

  #until({ what, timeoutMs }: { what: string; timeoutMs: number }, isDone: () => boolean): Promise<void> {
    if (isDone()) return Promise.resolve()
    return new Promise((resolve, reject) => {
      const waiter = { isDone, resolve: () => (cancel(), resolve()) }
      const cancel = this.#clock.after(timeoutMs, () => {
        this.#waiters = this.#waiters.filter((other) => other !== waiter)
        reject(new Error(`${what}: not done within ${Math.round(timeoutMs)} ms; ${this.#describe()}`))
      })
      this.#waiters.push(waiter)
    })
  }

  #wake(): void {
    if (this.#waiters.length === 0) return
    const done = this.#waiters.filter((waiter) => waiter.isDone())
    this.#waiters = this.#waiters.filter((waiter) => !done.includes(waiter))
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
    return `${this.#open.size} spans are left, ${sent} sent, ${rejected} rejected, ${spooled} spooled, dropped: ${describeDrops(this.stats) || 'none'}`
  }
}
