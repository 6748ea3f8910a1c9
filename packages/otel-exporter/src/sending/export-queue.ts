import type { QueuedSpan } from '../ledger/queued-span.ts'

export interface Limits {
  spans: number
  bytes: number
}

/** Spans in order of arrival. Callers enforce the bounds. */
export class ExportQueue {
  #spans: (QueuedSpan | undefined)[] = []
  #head = 0
  #count = 0
  #bytes = 0
  /** Oldest first; removed ones are skipped. */
  #expendable: QueuedSpan[] = []
  /** Positions of expendable spans, counted from the first span ever added. */
  readonly #places = new Map<QueuedSpan, number>()
  #first = 0

  get count(): number {
    return this.#count
  }

  get bytes(): number {
    return this.#bytes
  }

  add(span: QueuedSpan): void {
    if (span.expendable) {
      this.#expendable.push(span)
      this.#places.set(span, this.#first + this.#spans.length)
    }
    this.#spans.push(span)
    this.#count++
    this.#bytes += span.bytes.length
  }

  /** Requeues spans at the front, in order. */
  putBack(spans: readonly QueuedSpan[]): void {
    const rest = this.takeAll()
    for (const span of spans) this.add(span)
    for (const span of rest) this.add(span)
  }

  /** Removes and returns the newest expendable span; undefined if there is none. */
  evict(): QueuedSpan | undefined {
    for (let span = this.#expendable.pop(); span !== undefined; span = this.#expendable.pop()) {
      const place = this.#places.get(span)
      if (place === undefined) continue
      this.#spans[place - this.#first] = undefined
      this.#forget(span)
      return span
    }
    return undefined
  }

  /** The oldest spans within the limits; one that exceeds them alone is taken alone. Empty when the queue is. */
  take(limits: Limits): QueuedSpan[] {
    const taken: QueuedSpan[] = []
    let bytes = 0
    while (this.#head < this.#spans.length && taken.length < limits.spans) {
      const span = this.#spans[this.#head]
      if (span !== undefined && taken.length > 0 && bytes + span.bytes.length > limits.bytes) break
      this.#spans[this.#head++] = undefined
      if (span === undefined) continue
      bytes += span.bytes.length
      this.#forget(span)
      taken.push(span)
    }
    this.#tidy()
    return taken
  }

  /** The newest span, taken out; undefined when the queue is empty. */
  takeNewest(): QueuedSpan | undefined {
    while (this.#spans.length > this.#head) {
      const span = this.#spans.pop()
      if (span === undefined) continue
      this.#forget(span)
      return span
    }
    return undefined
  }

  takeAll(): QueuedSpan[] {
    return this.take({ spans: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY })
  }

  #forget(span: QueuedSpan): void {
    this.#places.delete(span)
    this.#count--
    this.#bytes -= span.bytes.length
  }

  /** Compacts the array once most of it has been taken. */
  #tidy(): void {
    if (this.#head * 2 >= this.#spans.length) {
      this.#spans = this.#spans.slice(this.#head)
      this.#first += this.#head
      this.#head = 0
    }
    if (this.#expendable.length > 2 * this.#places.size + 16) this.#expendable = this.#expendable.filter((span) => this.#places.has(span))
  }
}
