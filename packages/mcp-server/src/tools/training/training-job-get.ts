import { training } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { gradientSteps, metricsOf, plannedSteps, progressText, readEvents } from './job-events.ts'
import { findProblems, type JobRecords } from './job-findings.ts'

const Input = z.object(training.trainingJobs.read.params.shape)

const Output = z.object({
  // Its first event has the config, with the defaults.
  job: training.trainingJobs.read.output.omit({ config: true }),
  progress: z.object({ steps: z.number(), of: z.number().nullable(), last_event_at: z.string().nullable() }),
  last_metrics: z.record(z.string(), z.number()),
  findings: z.array(z.object({ finding: z.string(), evidence: z.string(), advice: z.string() })),
})

/** A training job with its findings. */
export const trainingJobGet = defineTool({
  name: 'training_job_get',
  title: 'Read a training job',
  description: 'A job with findings and their evidence: why it is stuck or has stopped learning. Example: {"job_id": "<id>"}',
  toolset: 'training',
  operation: training.trainingJobs.read,
  input: Input,
  output: Output,
  run: readJob,
})

async function readJob({ job_id }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const records = await readRecords(job_id, context)
  const { events } = records
  const { config: _, ...job } = records.job
  const steps = gradientSteps(events)
  const findings = findProblems(records)
  const last = steps.at(-1)
  return {
    headline: `Job ${job.id} is ${job.status}, ${progressText(events)}. ${findings.length === 0 ? 'Nothing unusual was found.' : `Found: ${findings.map(({ finding }) => finding).join(', ')}.`}`,
    data: {
      job: context.recorded(job),
      progress: { steps: steps.length, of: plannedSteps(events) ?? null, last_event_at: events.at(-1)?.created_at ?? null },
      last_metrics: last ? metricsOf(last) : {},
      findings: context.recorded(findings),
    },
    links: [{ uri: `job://${job.id}/events`, name: 'All events of the job' }],
  }
}

const checkpointsRead = 50
const groupsRead = 20

async function readRecords(job_id: string, context: ToolContext): Promise<JobRecords> {
  const { training, signal, now } = context
  const job = await training.trainingJobs.read({ job_id }, { signal })
  const { model_id } = job
  const [events, checkpoints, groups] = await Promise.all([
    readEvents(job_id, context),
    training.checkpoints.list({ model_id, order: 'desc', limit: checkpointsRead }, { signal }),
    training.trajectories.list({ model_id, limit: groupsRead }, { signal }),
  ])
  return { job, events, checkpoints: checkpoints.data.toReversed(), groups: groups.data, nowMs: now() }
}
