import type { AbortReason, JobAborted, JobContext, JobHandler, RunningJob } from '../handler.ts'

/** A handler whose jobs run until a test ends them. */
export interface GatedHandler {
  handler: JobHandler
  /** Every attempt, in the order of starts. */
  started: RunningJob[]
  contexts: JobContext[]
  /** The attempts that have not ended. */
  running: RunningJob[]
  /** Reasons of the aborts, in their order. */
  aborts: AbortReason[]
  /** Lets all attempts of a job return. */
  end(id: string | undefined): void
}

export interface GatedHandlerOptions {
  ignoresAborts?: boolean
  onStart?: (job: RunningJob, context: JobContext) => void
}

export function gatedHandler({ ignoresAborts = false, onStart }: GatedHandlerOptions = {}): GatedHandler {
  const ends = new Map<RunningJob, () => void>()
  const gate: Omit<GatedHandler, 'running'> = {
    started: [],
    contexts: [],
    aborts: [],
    end(id) {
      for (const [job, end] of ends) if (job.id === id) end()
    },
    async handler(job, context) {
      const { signal } = context
      gate.started.push(job)
      gate.contexts.push(context)
      onStart?.(job, context)
      try {
        await new Promise<void>((resolve, reject) => {
          ends.set(job, resolve)
          signal.addEventListener('abort', () => {
            gate.aborts.push((signal.reason as JobAborted).reason)
            if (!ignoresAborts) reject(signal.reason)
          })
        })
      } finally {
        ends.delete(job)
      }
    },
  }
  return Object.defineProperty(gate, 'running', { get: () => [...ends.keys()] }) as GatedHandler
}
