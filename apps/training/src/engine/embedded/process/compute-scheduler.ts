import { setImmediate } from 'node:timers/promises'
import type { Work } from '../passes/work.ts'

/** How long training computes before it checks for requests, and how long sampling may keep it waiting. */
const trainingSliceMs = 25
const samplingShareMs = 100

/** Divides one thread between sampling, which has priority, and training, which never waits for long. */
export class ComputeScheduler {
  private sampling = false
  private waiting: { since: number; resume: () => void }[] = []

  /** Runs training in slices. @throws the reason of `signal` once it aborts */
  async train<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    for (let since = performance.now(); ;) {
      const { done, value } = work.next()
      if (done) return value
      if (value) await value
      if (performance.now() - since < trainingSliceMs) continue
      await this.yieldToSampling()
      signal.throwIfAborted()
      since = performance.now()
    }
  }

  /** Repeats a step of sampling until it returns false. While a step waits for its promise, training continues. */
  async sample(step: () => boolean | Promise<void>): Promise<void> {
    this.sampling = true
    try {
      for (let more = step(); more !== false; more = step()) {
        const [longest] = this.waiting
        if (more !== true || (longest && performance.now() - longest.since >= samplingShareMs)) this.resumeTraining()
        // Requests and cancellations arrive in between.
        await (more === true ? setImmediate() : more)
      }
    } finally {
      this.sampling = false
      this.resumeTraining()
    }
  }

  private async yieldToSampling(): Promise<void> {
    await setImmediate()
    if (!this.sampling) return
    await new Promise<void>((resume) => {
      this.waiting.push({ since: performance.now(), resume })
    })
  }

  private resumeTraining(): void {
    for (const { resume } of this.waiting.splice(0)) resume()
  }
}
