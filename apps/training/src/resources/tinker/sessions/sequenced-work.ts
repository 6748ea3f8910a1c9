import { badRequest, tooManyRequests } from '@heddle/core-api/internal'

/** Requests whose answers are known, to recognise one that arrives again. */
const maxRemembered = 4_096
const retryAfterSeconds = 2

export interface SequencedRequest {
  /** From 1 on. Null: after all that have arrived. */
  number: number | null
  /** Of its content: the same request again has the same. */
  digest: string
  bytes: number
}

export interface SequenceLimits {
  /** Requests that wait for their turn. */
  waiting: number
  /** Bytes of their bodies. */
  waitingBytes: number
}

/**
 * The requests of one model, worked on one at a time in the order of their numbers: clients send several at once, and later ones first. A request
 * that arrives again is not worked on again.
 */
export class SequencedWork {
  readonly #limits: SequenceLimits
  readonly #waiting = new Map<number, { bytes: number; run: () => Promise<void> }>()
  readonly #known = new Map<number, { digest: string; requestId: string }>()
  #next = 1
  #bytes = 0
  #isRunning = false

  constructor(limits: SequenceLimits) {
    this.#limits = limits
  }

  /**
   * Answers a request with the id of its result. `begin` is called once for each number: it returns the id, and the work to run in its turn, which does
   * not reject.
   * @throws ApiError 400 for a number of another request, 429 when too many wait
   */
  add({ number, digest, bytes }: SequencedRequest, begin: () => { requestId: string; run: () => Promise<void> }): string {
    const own = number ?? Math.max(this.#next, ...[...this.#waiting.keys()].map((each) => each + 1))
    const known = this.#known.get(own)
    if (known?.digest === digest) return known.requestId
    if (known || own < this.#next)
      throw badRequest(`the model has worked on another request with seq_id ${own}; its next one is ${this.#next}`)
    this.#assertNotFull(own, bytes)
    const { requestId, run } = begin()
    this.#remember(own, { digest, requestId })
    this.#waiting.set(own, { bytes, run })
    this.#bytes += bytes
    void this.#drain()
    return requestId
  }

  /** The next one is always taken, since the others wait for it. */
  #assertNotFull(number: number, bytes: number): void {
    const { waiting, waitingBytes } = this.#limits
    if (number === this.#next || (this.#waiting.size < waiting && this.#bytes + bytes <= waitingBytes)) return
    throw tooManyRequests(`${this.#waiting.size} requests of the model wait for seq_id ${this.#next}; send it first`, retryAfterSeconds)
  }

  #remember(number: number, known: { digest: string; requestId: string }): void {
    this.#known.set(number, known)
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxRemembered) break
      this.#known.delete(oldest)
    }
  }

  async #drain(): Promise<void> {
    if (this.#isRunning) return
    this.#isRunning = true
    try {
      for (let work = this.#waiting.get(this.#next); work; work = this.#waiting.get(this.#next)) {
        this.#waiting.delete(this.#next++)
        await work.run()
        this.#bytes -= work.bytes
      }
    } finally {
      this.#isRunning = false
    }
  }
}
