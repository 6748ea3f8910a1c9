import { rm } from 'node:fs/promises'
import { JobAborted, JobFailure, type JobHandler } from '@heddle/jobs'
import { EngineError } from '../engine/engine.ts'
import type { Attempt } from './attempt.ts'
import { toJobFailure } from './job-failures.ts'
import { trainAndPublish } from './train-and-publish.ts'
import type { TrainingJobDeps } from './training-job-deps.ts'

/** Runs one attempt of a training job. Whatever the outcome, the job eventually has its last event. */
export function createTrainingJobHandler(deps: TrainingJobDeps): JobHandler {
  return async (running, context) => {
    const { job_id } = running.payload as { job_id: string }
    const begun = await context.commit((transaction) => deps.jobs.begin(transaction, job_id, deps.clock()))
    // It had ended before: an attempt was cut after its last commit, the job was cancelled, or its model deleted.
    if (!begun) return null
    const folder = await deps.scratch.newFolder('jobs', `${job_id}-${running.attempt}`)
    try {
      return await runAttempt({ begun, running, context, folder }, deps)
    } catch (error) {
      throw await endAfter(error, { begun, running, context }, deps)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

async function runAttempt(attempt: Attempt, deps: TrainingJobDeps): Promise<{ step: number }> {
  const { begun, running, context } = attempt
  const model = await deps.models.find(running.project, begun.job.model_id)
  if (!model) throw new JobFailure('the model was deleted', { isPermanent: true })
  const base = (await deps.engine.baseModels()).find(({ id }) => id === model.base_model)
  if (!base) throw new EngineError('unknown-model', `the base model "${model.base_model}" is not served here`)
  return trainAndPublish({ ...attempt, toPrepare: { ...begun, model, base, running, signal: context.signal } }, deps)
}

/** Ends the job if no further attempt follows. The returned error is to be thrown. */
async function endAfter(error: unknown, { begun, running, context }: Omit<Attempt, 'folder'>, deps: TrainingJobDeps): Promise<unknown> {
  const reason = context.signal.aborted ? (context.signal.reason as unknown) : undefined
  const aborted = reason instanceof JobAborted ? reason.reason : undefined
  if (aborted === 'lease lost' || aborted === 'stopping') return reason
  const failure =
    aborted === undefined
      ? toJobFailure(error, deps.fullDiskRetryMs)
      : new JobFailure(aborted === 'cancelled' ? 'the job was cancelled' : `the job was ended: ${aborted}`)
  const isLast = failure.isPermanent || aborted === 'cancelled' || running.attempt >= running.maxAttempts
  if (isLast) {
    const status = aborted === 'cancelled' ? 'cancelled' : 'failed'
    const end = { id: begun.job.id, status, error: failure.message, at: deps.clock(), eventId: deps.newId() } as const
    await context.commit((transaction) => deps.jobs.end(transaction, end))
  }
  return reason ?? failure
}
