import { training, type TrainingJob } from '@heddle/core-api'
import { z } from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { inPages, inProject } from '../schema/common-arguments.ts'
import { defineTool } from '../tool.ts'
import type { ToolContext } from '../tool-context.ts'

const { query } = training.trainingJobs.list

const Input = z.object({
  ...inProject,
  model_id: training.trainingJobs.create.body.shape.model_id.optional(),
  ...query.pick({ kind: true, status: true }).shape,
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
  .extend({ model: z.string().optional() })

const Output = z.object({ jobs: z.array(Job) })

/** Training jobs, the newest first. */
export const trainingJobsList = defineTool({
  name: 'training_jobs_list',
  title: 'List training jobs',
  description: 'Training jobs of a model, or of all models of the project, newest first. Example: {"status": "running"}',
  toolset: 'training',
  operation: training.trainingJobs.list,
  input: Input,
  output: Output,
  run: listJobs,
})

const maxModels = 50
const jobsOfModel = 100

async function listJobs(input: z.output<typeof Input>, context: ToolContext): Promise<Answer> {
  const read = await readJobs(input, context)
  const { warnings } = read
  const { offset, anchor = read.jobs[0]?.created_at ?? '' } = context.page
  // Jobs that are created later do not move the pages.
  const jobs = read.jobs.filter(({ created_at }) => created_at <= anchor)
  const page = jobs.slice(offset, offset + input.limit)
  const running = jobs.filter(({ status }) => status === 'running').length
  return {
    headline: jobs.length === 0 ? 'There are no such training jobs.' : `${jobs.length} training jobs, ${running} of them running.`,
    data: { jobs: context.recorded(page.map((job) => Job.parse(job))) },
    page: { key: 'jobs', offset, total: jobs.length, hasMore: offset + page.length < jobs.length, anchor },
    warnings,
  }
}

type ListedJob = TrainingJob & { model?: string }

async function readJobs(
  { model_id, kind, status }: z.output<typeof Input>,
  context: ToolContext,
): Promise<{ jobs: ListedJob[]; warnings: string[] }> {
  const { training, signal } = context
  const models = model_id === undefined ? await readModels(context) : { found: [{ id: model_id }], hasMore: false }
  const jobs: ListedJob[] = []
  const warnings = models.hasMore ? [`only the jobs of the first ${maxModels} models are listed; pass model_id`] : []
  for (const model of models.found) {
    const page = await training.trainingJobs.list({ model_id: model.id, kind, status, limit: jobsOfModel }, { signal })
    jobs.push(...page.data.map((job) => ({ ...job, ...('name' in model && { model: model.name }) })))
    if (page.has_more) warnings.push(`only the newest ${jobsOfModel} jobs of model ${model.id} are listed`)
  }
  return { jobs: jobs.toSorted((one, other) => (keyOf(one) > keyOf(other) ? -1 : 1)), warnings }
}

/** Orders jobs of one instant too. */
function keyOf({ created_at, id }: ListedJob): string {
  return `${created_at} ${id}`
}

async function readModels({ training, project, signal }: ToolContext) {
  const { entity, project: name } = project()
  const page = await training.models.list({ entity, project: name, limit: maxModels }, { signal })
  return { found: page.data, hasMore: page.has_more }
}
