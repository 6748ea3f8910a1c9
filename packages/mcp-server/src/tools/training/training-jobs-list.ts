import { training } from '@heddle/core-api'
import type { TrainingJob } from '@heddle/core-api/types'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'
import { readEvents } from './job-events.ts'

const { query } = training.trainingJobs.list

const Input = z.object({
  ...inProject,
  model_id: training.trainingJobs.create.body.shape.model_id.optional(),
  // The values are self-explanatory.
  kind: query.shape.kind.describe(''),
  status: query.shape.status.describe(''),
  ...inPages(20, 100),
})

const Job = training.trainingJobs.read.output
  .pick({
    id: true,
    kind: true,
    status: true,
    model_id: true,
    created_at: true,
    training_start: true,
    training_end: true,
    step: true,
    message: true,
    error_message: true,
  })
  .extend({ model: z.string().optional(), last_event: z.string().optional() })

const Output = z.object({ jobs: z.array(Job) })

/** Training jobs, the newest first. */
export const trainingJobsList = defineTool({
  name: 'training_jobs_list',
  title: 'List training jobs',
  description: 'Training jobs of a model or the project, newest first. Example: {"status": "running"}',
  toolset: 'training',
  operation: training.trainingJobs.list,
  input: Input,
  output: Output,
  run: listJobs,
})

const modelsNamed = 100
/** Events have to be read from the first one on. */
const runningRead = 10

async function listJobs({ model_id, kind, status, limit }: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const { training, page, signal } = context
  const scope = model_id === undefined ? inProjectOf(context) : { model_id }
  const [{ data, has_more }, names] = await Promise.all([
    training.trainingJobs.list({ ...scope, kind, status, limit, after: page.anchor ?? null }, { signal }),
    'entity' in scope ? readNames(scope, context) : new Map<string, string>(),
  ])
  const lastEvents = await readLastEvents(data, context)
  const jobs = data.map((job) => Job.parse({ ...job, model: names.get(job.model_id), last_event: lastEvents.get(job.id) }))
  const running = jobs.filter((job) => job.status === 'running').length
  return {
    headline:
      jobs.length === 0 ? 'No such training jobs.' : `${jobs.length} training jobs${has_more ? ', and more' : ''}; ${running} running.`,
    data: { jobs: context.recorded(jobs) },
    page: { key: 'jobs', offset: page.offset, hasMore: has_more, after: (job) => String(Reflect.get(job, 'id')) },
  }
}

function inProjectOf({ project }: ToolContext): { entity: string; project: string } {
  const { entity, project: name } = project()
  return { entity, project: name }
}

async function readNames(scope: { entity: string; project: string }, { training, signal }: ToolContext): Promise<Map<string, string>> {
  const { data } = await training.models.list({ ...scope, limit: modelsNamed }, { signal })
  return new Map(data.map(({ id, name }) => [id, name]))
}

/** The newest event of each job with its time. Ended jobs contain it; for running ones, the events of the first ten are read. */
async function readLastEvents(jobs: readonly TrainingJob[], context: ToolContext): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for (const { id, status, training_end } of jobs)
    if (training_end !== null) found.set(id, `${status === 'succeeded' ? 'training_ended' : 'training_failed'} at ${training_end}`)
  for (const { id } of jobs.filter(({ status }) => status === 'running').slice(0, runningRead)) {
    const last = (await readEvents(id, context)).at(-1)
    if (last) found.set(id, `${last.type} at ${last.created_at}`)
  }
  return found
}
