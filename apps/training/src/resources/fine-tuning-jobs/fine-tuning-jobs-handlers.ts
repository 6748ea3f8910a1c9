import type { Handlers, training } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import { toPage } from '../../page.ts'
import type { ListProjects } from '../models/list-projects.ts'
import { toProjectFilter } from '../training-files/named-project.ts'
import type { OpenJob } from '../training-jobs/open-job.ts'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'
import type { TrainingJobsStore } from '../training-jobs/training-jobs-store.ts'
import {
  type FineTuningState,
  toFineTuningCheckpoint,
  toFineTuningEvent,
  toFineTuningJob,
  toTrainingEventId,
  toTrainingJobId,
} from './fine-tuning-job.ts'
import type { JobProgressStore } from './job-progress-store.ts'
import type { StartFineTuning } from './start-fine-tuning.ts'

export interface FineTuningJobsDeps {
  store: Pick<TrainingJobsStore, 'list' | 'listEvents'>
  progress: JobProgressStore
  openJob: OpenJob
  listProjects: ListProjects
  start: StartFineTuning
  cancel: (project: ProjectScope, job: TrainingJobRow) => Promise<void>
}

export function fineTuningJobsHandlers(deps: FineTuningJobsDeps): Handlers<typeof training.fineTuningJobs, Context> {
  const { store, progress, openJob, listProjects, start, cancel } = deps

  async function withProgress(context: Context, jobs: readonly TrainingJobRow[]): Promise<FineTuningState[]> {
    const found = await progress.find(context.work, jobs)
    return jobs.flatMap((job) => {
      const { fine_tuning_request: request } = job
      return request === null ? [] : [{ job, request, progress: found.get(job.id)! }]
    })
  }

  async function open(context: Context, id: string): Promise<FineTuningState & { project: ProjectScope }> {
    const opened = await openJob(context, toTrainingJobId(id)).catch((error: unknown) => {
      throw (error as { status?: number }).status === 404 ? noSuchJob(id) : error
    })
    const [state] = await withProgress(context, [opened.job])
    if (!state) throw noSuchJob(id)
    return { ...state, project: opened.project }
  }

  return {
    async create({ 'openai-project': projectName, ...request }, context) {
      const { job } = await start(request, context, projectName)
      return toFineTuningJob((await withProgress(context, [job]))[0]!)
    },

    async list({ 'openai-project': header, after, limit }, context) {
      const projectIds = await listProjects(context, toProjectFilter(header))
      const filter = { kind: null, status: null, isFineTuning: true, order: 'desc', limit: limit + 1 } as const
      const jobs = await store.list(context.work, { projectIds }, { ...filter, after: after === null ? null : toTrainingJobId(after) })
      return toPage(await withProgress(context, jobs), limit, toFineTuningJob)
    },

    async read({ fine_tuning_job_id: id }, context) {
      return toFineTuningJob(await open(context, id))
    },

    async cancel({ fine_tuning_job_id: id }, context) {
      const { project, job } = await open(context, id)
      await cancel(project, job)
      return toFineTuningJob(await open(context, id))
    },

    async events({ fine_tuning_job_id: id, after, limit }, context) {
      const state = await open(context, id)
      const page = { order: 'desc', after: after === null ? null : toTrainingEventId(after), limit: limit + 1 } as const
      return toPage(await store.listEvents(context.work, state.job.id, page), limit, (event) => toFineTuningEvent(event, state))
    },

    async checkpoints({ fine_tuning_job_id: id, after, limit }, context) {
      const checkpoint = toFineTuningCheckpoint(await open(context, id))
      if (after !== null && after !== checkpoint?.id)
        throw notFound(`after: checkpoint ${JSON.stringify(after.slice(0, 100))} was not found in this job`, { param: 'after' })
      return toPage(checkpoint && after === null ? [checkpoint] : [], limit, (each) => each)
    },
  }
}

const noSuchJob = (id: string) =>
  notFound(`fine-tuning job ${JSON.stringify(id.slice(0, 100))} was not found`, { param: 'fine_tuning_job_id' })
