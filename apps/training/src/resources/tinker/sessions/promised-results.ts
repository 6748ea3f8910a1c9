import { orAborted } from '../../../engine/or-aborted.ts'

/** A result in the forms that clients take. */
export interface TinkerResult {
  toJson(): object
  /** Null for a result that travels as JSON alone. */
  toMessage: (() => Uint8Array) | null
  /** About its size in memory. */
  bytes: number
}

export type Settled = { kind: 'result'; result: TinkerResult } | { kind: 'failed'; message: string; category: 'user' | 'server' }

export interface PromisedOf {
  sessionId: string
  projectId: string
}

interface Promised extends PromisedOf {
  settled: Promise<Settled>
  cancel: () => void
  /** Null while it is worked on. */
  bytes: number | null
  endedAt: number
}

/** What the smallest result takes. */
const minBytes = 1_024

export interface ResultLimits {
  /** Milliseconds that a result is kept after it is there. */
  keptMs: number
  /** Bytes of results that are kept; the oldest go first. */
  keptBytes: number
  /** Requests of one session that are worked on, or wait for it. */
  ofSession: number
}

/** Results that clients come back for. They are in the memory of this server alone. */
export class PromisedResults {
  readonly #limits: ResultLimits
  readonly #nowMs: () => number
  readonly #promised = new Map<string, Promised>()
  readonly #ofSession = new Map<string, number>()
  #bytes = 0

  constructor(limits: ResultLimits, nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Whether a session has no room for another one. */
  isFull(sessionId: string): boolean {
    return (this.#ofSession.get(sessionId) ?? 0) >= this.#limits.ofSession
  }

  add(id: string, of: PromisedOf, work: { settled: Promise<Settled>; cancel: () => void }): void {
    const promised: Promised = { ...of, ...work, bytes: null, endedAt: 0 }
    this.#promised.set(id, promised)
    this.#count(of.sessionId, 1)
    void work.settled.then((settled) => this.#end(id, promised, settled))
  }

  find(id: string): PromisedOf | undefined {
    return this.#promised.get(id)
  }

  /** Null: not within the time. @throws the reason of the signal */
  async wait(id: string, ms: number, signal: AbortSignal): Promise<Settled | null | undefined> {
    const promised = this.#promised.get(id)
    if (!promised) return undefined
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<null>((resolve) => {
      timer = setTimeout(() => resolve(null), ms)
    })
    try {
      return await orAborted(Promise.race([promised.settled, late]), signal)
    } finally {
      clearTimeout(timer)
    }
  }

  cancel(id: string): void {
    this.#promised.get(id)?.cancel()
  }

  /** Forgets what was kept long enough. */
  sweep(): void {
    for (const [id, { bytes, endedAt }] of this.#promised)
      if (bytes !== null && this.#nowMs() - endedAt >= this.#limits.keptMs) this.#forget(id)
  }

  #end(id: string, promised: Promised, settled: Settled): void {
    promised.bytes = minBytes + (settled.kind === 'result' ? settled.result.bytes : settled.message.length)
    promised.endedAt = this.#nowMs()
    this.#bytes += promised.bytes
    this.#count(promised.sessionId, -1)
    // In the order in which they ended.
    if (this.#promised.delete(id)) this.#promised.set(id, promised)
    for (const [oldest, { bytes }] of this.#promised) {
      if (this.#bytes <= this.#limits.keptBytes) break
      if (bytes !== null && oldest !== id) this.#forget(oldest)
    }
  }

  #forget(id: string): void {
    this.#bytes -= this.#promised.get(id)?.bytes ?? 0
    this.#promised.delete(id)
  }

  #count(sessionId: string, by: 1 | -1): void {
    const sum = (this.#ofSession.get(sessionId) ?? 0) + by
    if (sum === 0) this.#ofSession.delete(sessionId)
    else this.#ofSession.set(sessionId, sum)
  }
}
