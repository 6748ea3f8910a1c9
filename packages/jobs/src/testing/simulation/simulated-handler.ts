import type { Timing } from '@heddle/datastore'
import type { JobHandler } from '../../handler.ts'
import { JobFailure } from '../../job-failure.ts'

/** How a handler ends, where nothing aborts it; one that is deaf ignores its signal. */
export type JobEnd = 'returns' | 'throws' | 'throws once' | 'fails for good' | 'is deaf'

/** Works in steps, saves where it is after each, and ends as its payload says. */
export function simulatedHandler(timing: Timing): JobHandler {
  return async (job, { signal, progress, saveState, commit }) => {
    const { runsMs, ends } = job.payload as { runsMs: number; ends: JobEnd }
    for (let step = Number(job.savedState ?? 0); step < 4; step++) {
      await sleep(timing, runsMs / 4)
      if (ends !== 'is deaf') signal.throwIfAborted()
      progress(step / 4)
      // A deaf handler continues after its lease is lost, and so tries to write without one.
      const saving = step % 2 === 0 ? saveState(step) : commit(async () => undefined)
      await (ends === 'is deaf' ? saving.catch(() => undefined) : saving)
    }
    if (ends === 'throws' || (ends === 'throws once' && job.attempt === 1)) throw new Error('simulated')
    if (ends === 'fails for good') throw new JobFailure('simulated', { isPermanent: true })
    return job.attempt
  }
}

export function sleep(timing: Timing, ms: number): Promise<void> {
  return new Promise((resolve) => void timing.after(ms, resolve))
}
