import { training } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { Confirm, type Confirmation } from '../confirmation.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { progressText, readEvents } from './job-events.ts'

const { params, output } = training.trainingJobs.cancel

const Input = z.object({ ...params.shape, confirm: Confirm })
const Output = z.object({ cancelled: z.boolean(), status: output.shape.status.optional(), reason: z.string().optional() })

/** Cancels a training job that has not ended. */
export const trainingJobCancel = defineTool({
  name: 'training_job_cancel',
  title: 'Cancel a training job',
  description: 'Ends a job without a checkpoint, for good. A person is asked first. Example: {"job_id": "<id>"}',
  toolset: 'training',
  operation: training.trainingJobs.cancel,
  // The job's progress is lost.
  effect: 'destroy',
  idempotent: true,
  input: Input,
  output: Output,
  run: cancelJob,
})

async function cancelJob({ job_id, confirm }: z.output<typeof Input>, context: ToolContext): Promise<Answer | Confirmation> {
  const { trainingJobs, models } = context.training
  const { signal } = context
  const job = await trainingJobs.read({ job_id }, { signal })
  if (job.status !== 'queued' && job.status !== 'running')
    return {
      headline: `Job ${job.id} has ended already: ${job.status}.`,
      data: { cancelled: job.status === 'cancelled', status: job.status, reason: 'already ended' },
    }
  const { name } = await models.read({ model_id: job.model_id }, { signal })
  if (context.confirmed !== job.id && confirm !== name) {
    const progress = progressText(await readEvents(job_id, context))
    return {
      confirm: {
        message: `This cancels the ${job.status} job ${job.id} of model ${name} (${progress}) for good: it makes no checkpoint.`,
        name,
        version: job.id,
      },
    }
  }
  const { status } = await trainingJobs.cancel({ job_id }, { signal })
  return {
    headline: status === 'cancelled' ? `Job ${job.id} was cancelled.` : `Job ${job.id} is ${status}; it ends soon.`,
    data: { cancelled: true, status },
  }
}
