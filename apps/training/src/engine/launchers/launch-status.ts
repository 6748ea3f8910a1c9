import { EngineError } from '../engine.ts'

/** A server that responded. A restart begins a new generation: sessions of the previous one are lost. */
export interface ReadyServer {
  address: string
  generation: number
}

/** `detail` is for the operator: it may quote the cluster, or the output of the server. */
export type LaunchStatus = { state: 'starting' | 'stopped' | 'failed'; detail: string } | { state: 'ready'; server: ReadyServer }

/** The status of a server, for which requests may wait. */
export class WatchedStatus {
  private status: LaunchStatus
  private readonly waiting = new Set<() => void>()

  constructor(first: LaunchStatus) {
    this.status = first
  }

  get current(): LaunchStatus {
    return this.status
  }

  change(next: LaunchStatus): void {
    this.status = next
    for (const wake of this.waiting) wake()
  }

  /**
   * Waits for a server that responds.
   * @param deadline when it aborts, the wait ends @throws EngineError `unavailable` at the deadline, the reason of `signal` when that aborts
   */
  async untilReady({ deadline, signal }: { deadline: AbortSignal; signal: AbortSignal }): Promise<ReadyServer> {
    const either = AbortSignal.any([deadline, signal])
    for (;;) {
      if (this.status.state === 'ready') return this.status.server
      signal.throwIfAborted()
      if (deadline.aborted) throw notReady(this.status.state)
      await this.changeOrAbort(either)
    }
  }

  private changeOrAbort(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.waiting.delete(done)
        signal.removeEventListener('abort', done)
        resolve()
      }
      this.waiting.add(done)
      signal.addEventListener('abort', done, { once: true })
    })
  }
}

/** Shown to users, so without the detail. */
function notReady(state: Exclude<LaunchStatus['state'], 'ready'>): EngineError {
  const reasons = { starting: 'it is starting', failed: 'it failed and is started again', stopped: 'it was stopped' }
  return new EngineError('unavailable', `the training server is not ready (${reasons[state]}); the log of this server has more`)
}
