/** When a process without work ends. WebAssembly gives no memory back while its process lives. */
export interface IdleLimits {
  /** Milliseconds without work. */
  idleMs: number
  /** Milliseconds after training that left more than `spareBytes` unused, from the first moment without work. */
  spareMs: number
  spareBytes: number
}

export const idleLimits: IdleLimits = { idleMs: 600_000, spareMs: 30_000, spareBytes: 64 * 2 ** 20 }

/** Work is what keeps a process in use; a question only keeps it until it is answered. */
export type Use = 'work' | 'question'

/** Calls `end` when a process has been without work for as long as its limits say. Nothing is in use then. */
export class IdleEnd {
  private readonly limits: IdleLimits
  private readonly end: () => void
  private inUse = 0
  private lastWorkAt = 0
  /** When training left much memory unused; infinite if none did. */
  private spareSince = Number.POSITIVE_INFINITY
  private timer: NodeJS.Timeout | undefined

  constructor(limits: IdleLimits, end: () => void) {
    this.limits = limits
    this.end = end
  }

  /** The process is in use until the returned function is called. */
  begin(use: Use): () => void {
    this.inUse++
    this.cancel()
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.inUse--
      if (use === 'work') this.lastWorkAt = performance.now()
      if (this.inUse === 0) this.schedule()
    }
  }

  /** Notes the bytes that the process holds and does not use, after training; 0 when training begins or the process ends. */
  noteSpare(bytes: number): void {
    this.spareSince = bytes > this.limits.spareBytes ? performance.now() : Number.POSITIVE_INFINITY
  }

  cancel(): void {
    clearTimeout(this.timer)
  }

  private schedule(): void {
    const dueAt = Math.min(this.lastWorkAt + this.limits.idleMs, this.spareSince + this.limits.spareMs)
    this.timer = setTimeout(this.end, Math.max(0, dueAt - performance.now()))
    this.timer.unref()
  }
}
