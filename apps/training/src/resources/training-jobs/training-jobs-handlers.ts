import type { Handlers, training } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import { toPage } from '../../page.ts'
import { toRepeatable } from '../../repeats/repeatable.ts'
import { checkSftConfig } from '../../training/sft/sft-config.ts'
import type { ListProjects } from '../models/list-projects.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { FindTrainingData } from '../training-data/find-training-data.ts'
import type { EstimateSftJob } from './estimate-sft-job.ts'
import type { OpenJob } from './open-job.ts'
import type { StartRlJob } from './start-rl-job.ts'
import type { StartSftJob } from './start-sft-job.ts'
import { toJob, type TrainingJobRow } from './training-job-row.ts'
import type { JobsWithin, TrainingJobsStore } from './training-jobs-store.ts'

export interface TrainingJobsDeps {
  store: TrainingJobsStore
  openModel: OpenModel
  listProjects: ListProjects
  openJob: OpenJob
  findTrainingData: FindTrainingData
  startRlJob: StartRlJob
  estimate: EstimateSftJob
  startSftJob: StartSftJob
  cancel: (project: ProjectScope, job: TrainingJobRow) => Promise<void>
}

export function trainingJobsHandlers(deps: TrainingJobsDeps): Handlers<typeof training.trainingJobs, Context> {
  const { store, openModel, listProjects, openJob, findTrainingData, startRlJob, startSftJob, estimate, cancel } = deps
  return {
    create: ({ content, 'idempotency-key': key }, context) => startRlJob({ content, key }, context),

    async createSft({ model_id, training_data_url, config, 'idempotency-key': key }, context) {
      const opened = await openModel(context, model_id)
      checkSftConfig(config ?? {})
      const said = [model_id, training_data_url, config]
      const repeat = toRepeatable({ caller: context.caller, operation: 'trainingJobs.createSft', key, content: said })
      const findData = () => findTrainingData(context, training_data_url)
      const { job, isNew } = await startSftJob(context, opened, { findData, config, source: training_data_url, repeat })
      // With a key, the first response is repeated.
      return { id: job.id, created: repeat !== undefined || isNew }
    },

    estimateSft: (request, context) => estimate(request, context),

    async list({ model_id, entity, project, kind, status, after, limit, order }, context) {
      const within: JobsWithin =
        model_id === null
          ? { projectIds: await listProjects(context, { entity, project }) }
          : { modelId: (await openModel(context, model_id)).model.id }
      return toPage(await store.list(context.work, within, { kind, status, after, order, limit: limit + 1 }), limit, toJob)
    },

    async read({ job_id }, context) {
      return toJob((await openJob(context, job_id)).job)
    },

    async cancel({ job_id }, context) {
      const { job, project } = await openJob(context, job_id)
      await cancel(project, job)
      const after = await store.find(context.work, job_id)
      if (!after) throw notFound(`training job ${JSON.stringify(job_id)} was not found`)
      return toJob(after)
    },
  }
}
