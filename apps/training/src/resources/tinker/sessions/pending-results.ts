import { orAborted } from '../../../engine/or-aborted.ts'

/** A result in the forms that clients take. */
export interface TinkerResult {
  toJson(): object
  /** Null for a result that travels as JSON alone. */
  toMessage: (() => Uint8Array) | null
  /** About its size in memory. */
  bytes: number
}

export type RequestOutcome = { kind: 'result'; result: TinkerResult } | { kind: 'failed'; message: string; category: 'user' | 'server' }

export interface ResultOwner {
  sessionId: string
  projectId: string
}

interface PendingResult extends ResultOwner {
  settled: Promise<RequestOutcome>
  cancel: () => void
  /** Null while the request is in progress. */
  bytes: number | null
  endedAt: number
}

/** Finished results of a project. */
interface EndedResults {
  bytes: number
  /** In the order in which they ended. */
  ids: Set<string>
}

/** Size at which even the smallest result counts. */
const minBytes = 1_024

export interface ResultLimits {
  /** Milliseconds for which a finished result is kept. */
  keptMs: number
  /** Most bytes of results of all projects. Beyond it, the oldest of the project with the most bytes are dropped. */
  keptBytes: number
  /** Most bytes of results of one project. Beyond it, its oldest are dropped. */
  keptBytesOfProject: number
  /** Most requests of one session that are in progress or queued. */
  ofSession: number
}

/** Results that clients poll for, in the memory of this server alone. */
export class PendingResults {
  readonly #limits: ResultLimits
  readonly #nowMs: () => number
  readonly #promised = new Map<string, PendingResult>()
  readonly #ofSession = new Map<string, number>()
  readonly #ofProject = new Map<string, EndedResults>()
  #bytes = 0

  constructor(limits: ResultLimits, nowMs: () => number) {
    this.#limits = limits
    this.#nowMs = nowMs
  }

  /** Whether a session has too many requests for another one. */
  isFull(sessionId: string): boolean {
    return (this.#ofSession.get(sessionId) ?? 0) >= this.#limits.ofSession
  }

  add(id: string, of: ResultOwner, work: { settled: Promise<RequestOutcome>; cancel: () => void }): void {
    const promised: PendingResult = { ...of, ...work, bytes: null, endedAt: 0 }
    this.#promised.set(id, promised)
    this.#count(of.sessionId, 1)
    void work.settled.then((settled) => this.#end(id, promised, settled))
  }

  find(id: string): ResultOwner | undefined {
    return this.#promised.get(id)
  }

  /** Null: not finished in time. Undefined: unknown id. @throws the reason of the signal */
  async wait(id: string, ms: number, signal: AbortSignal): Promise<RequestOutcome | null | undefined> {
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

  /** Drops results that have expired. */
  sweep(): void {
    for (const [id, { bytes, endedAt }] of this.#promised)
      if (bytes !== null && this.#nowMs() - endedAt >= this.#limits.keptMs) this.#forget(id)
  }

  #end(id: string, promised: PendingResult, settled: RequestOutcome): void {
    const bytes = minBytes + (settled.kind === 'result' ? settled.result.bytes : settled.message.length)
    promised.bytes = bytes
    promised.endedAt = this.#nowMs()
    this.#count(promised.sessionId, -1)
    const own = this.#ofProject.get(promised.projectId) ?? { bytes: 0, ids: new Set() }
    this.#ofProject.set(promised.projectId, own)
    own.ids.add(id)
    own.bytes += bytes
    this.#bytes += bytes
    const { keptBytes, keptBytesOfProject } = this.#limits
    while (own.bytes > keptBytesOfProject && this.#forgetOldest(own, id));
    while (this.#bytes > keptBytes && this.#forgetOldest(this.#largest(), id));
  }

  /** The results of the project that has most. */
  #largest(): EndedResults {
    return [...this.#ofProject.values()].reduce((largest, each) => (each.bytes > largest.bytes ? each : largest))
  }

  /** False if the one that has just ended is the only one. */
  #forgetOldest({ ids }: EndedResults, ended: string): boolean {
    const [oldest, next] = ids
    const forgotten = oldest === ended ? next : oldest
    if (forgotten === undefined) return false
    this.#forget(forgotten)
    return true
  }

  #forget(id: string): void {
    const promised = this.#promised.get(id)
    this.#promised.delete(id)
    const own = promised && this.#ofProject.get(promised.projectId)
    if (!own?.ids.delete(id)) return
    own.bytes -= promised!.bytes!
    this.#bytes -= promised!.bytes!
    if (own.ids.size === 0) this.#ofProject.delete(promised!.projectId)
  }

  #count(sessionId: string, by: 1 | -1): void {
    const sum = (this.#ofSession.get(sessionId) ?? 0) + by
    if (sum === 0) this.#ofSession.delete(sessionId)
    else this.#ofSession.set(sessionId, sum)
  }
}
