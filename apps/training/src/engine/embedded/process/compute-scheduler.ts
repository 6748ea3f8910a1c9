import { setImmediate } from 'node:timers/promises'
import type { Work } from '../work.ts'
import { closeGate, openGate, type TrainingGate } from './training-gate.ts'

/** How long training computes before it checks for requests, and how long sampling may keep it waiting. */
const trainingSliceMs = 25
const samplingShareMs = 100

/** Divides this thread, and those that help with training, between sampling, which has priority, and training, which never waits for long. */
export class ComputeScheduler {
  /** Stops the threads that help with training. */
  private readonly gate: TrainingGate
  /** Milliseconds. */
  private readonly now: () => number
  private isTrainingPaused = false
  /** When training was last paused, or resumed. */
  private changedAt = 0
  /** Training of this thread that waits for sampling. */
  private waiting: (() => void)[] = []

  constructor(gate: TrainingGate, now: () => number = () => performance.now()) {
    this.gate = gate
    this.now = now
  }

  /** Runs training in slices; ends the work early once `signal` aborts. @throws its reason */
  async train<T>(work: Work<T>, signal: AbortSignal): Promise<T> {
    try {
      for (let since = this.now(); ;) {
        const { done, value } = work.next()
        if (done) return value
        if (value) {
          await value
          signal.throwIfAborted()
        }
        if (this.now() - since < trainingSliceMs) continue
        await this.yieldToSampling()
        signal.throwIfAborted()
        since = this.now()
      }
    } finally {
      work.return(undefined as T)
    }
  }

  /** Repeats a step of sampling until it returns false. While a step waits for its promise, training continues. */
  async sample(step: () => boolean | Promise<void>): Promise<void> {
    this.pauseTraining()
    try {
      for (let more = step(); more !== false; more = step()) {
        if (more === true) this.takeTurns()
        else this.resumeTraining()
        // Requests and cancellations arrive in between.
        await (more === true ? setImmediate() : more)
      }
    } finally {
      this.resumeTraining()
    }
  }

  private async yieldToSampling(): Promise<void> {
    await setImmediate()
    if (!this.isTrainingPaused) return
    await new Promise<void>((resume) => {
      this.waiting.push(resume)
    })
  }

  /** While there is sampling, training has a slice of each share. */
  private takeTurns(): void {
    const sinceMs = this.now() - this.changedAt
    if (this.isTrainingPaused && sinceMs >= samplingShareMs) this.resumeTraining()
    else if (!this.isTrainingPaused && sinceMs >= trainingSliceMs) this.pauseTraining()
  }

  private pauseTraining(): void {
    closeGate(this.gate)
    this.isTrainingPaused = true
    this.changedAt = this.now()
  }

  private resumeTraining(): void {
    openGate(this.gate)
    if (this.isTrainingPaused) this.changedAt = this.now()
    this.isTrainingPaused = false
    for (const resume of this.waiting.splice(0)) resume()
  }
}
