import type { Handlers, training } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import { toPage } from '../../page.ts'
import { toRepeatable } from '../../repeats/repeatable.ts'
import { adapterRequestOf, checkSftConfig } from '../../training/sft/sft-config.ts'
import type { ListProjects } from '../models/list-projects.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { FindTrainingData } from '../training-data/find-training-data.ts'
import type { CheckMemory } from './check-memory.ts'
import type { EstimateSftJob } from './estimate-sft-job.ts'
import type { FindAdapter, FindBase } from './find-adapter.ts'
import type { AssertFewJobs, NewRow } from './new-training-job.ts'
import type { OpenJob } from './open-job.ts'
import type { StartRlJob } from './start-rl-job.ts'
import type { SubmitJob } from './submit-job.ts'
import { toJob, type TrainingJobRow } from './training-job-row.ts'
import type { JobsWithin, TrainingJobsStore } from './training-jobs-store.ts'

export interface TrainingJobsDeps {
  store: TrainingJobsStore
  openModel: OpenModel
  listProjects: ListProjects
  openJob: OpenJob
  findTrainingData: FindTrainingData
  startRlJob: StartRlJob
  submit: SubmitJob
  findBase: FindBase
  findAdapter: FindAdapter
  checkMemory: CheckMemory
  estimate: EstimateSftJob
  cancel: (project: ProjectScope, job: TrainingJobRow) => Promise<void>
  assertFewJobs: AssertFewJobs
  newRow: NewRow
}

export function trainingJobsHandlers(deps: TrainingJobsDeps): Handlers<typeof training.trainingJobs, Context> {
  const { store, openModel, listProjects, openJob, findTrainingData, startRlJob, submit, cancel, assertFewJobs, newRow } = deps
  const { findBase, findAdapter, checkMemory, estimate } = deps
  return {
    create: ({ content, 'idempotency-key': key }, context) => startRlJob({ content, key }, context),

    async createSft({ model_id, training_data_url, config, 'idempotency-key': key }, context) {
      const { model, project } = await openModel(context, model_id)
      checkSftConfig(config ?? {})
      const base = await findBase(model)
      const adapter = await findAdapter(context, { base, modelId: model.id, ...adapterRequestOf(config ?? {}) })
      await assertFewJobs(context, model)
      const data = await findTrainingData(context, training_data_url)
      await checkMemory.ofSft(context, { base, adapter, config: config ?? {}, data: data.stat })
      const said = [model_id, training_data_url, config]
      const repeat = toRepeatable({ caller: context.caller, operation: 'trainingJobs.createSft', key, content: said })
      const row = { ...newRow(model, context, data.stat), kind: 'sft', config, source: training_data_url } as TrainingJobRow
      const job = await data.keep(project, () => store.create(project, row, repeat))
      await submit(project, job)
      // With a key, the first response is repeated.
      return { id: job.id, created: repeat !== undefined || job.id === row.id }
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
