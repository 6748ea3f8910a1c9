import { type Handlers, training } from '@heddle/core-api'
import { badRequest, notFound, tooManyRequests } from '@heddle/core-api/internal'
import type { BlobStat, Micros } from '@heddle/datastore'
import type { Context, ProjectScope } from '@heddle/identity'
import type { Engine } from '../../engine/engine.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { klReferenceStep } from '../../objective/settings/resolve-kl-reference.ts'
import { resolveRlSettings } from '../../objective/settings/resolve-rl-settings.ts'
import { toPage } from '../../page.ts'
import { toRepeatable } from '../../repeats/repeatable.ts'
import { checkBody, type TrajectoryLimits } from '../../request-body/check-body.ts'
import { checkSftConfig } from '../../training/prepare-sft.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { ListProjects } from '../models/list-projects.ts'
import type { ModelRow } from '../models/model-row.ts'
import type { OpenModel } from '../models/open-model.ts'
import type { FindTrainingData } from '../training-data/find-training-data.ts'
import type { OpenJob } from './open-job.ts'
import type { SubmitJob } from './submit-job.ts'
import { toJob, type TrainingJobRow } from './training-job-row.ts'
import type { JobsWithin, TrainingJobsStore } from './training-jobs-store.ts'

/** Jobs of a model that have not ended. */
const maxUnfinished = 1_000

export interface TrainingJobsDeps {
  store: TrainingJobsStore
  checkpoints: CheckpointsStore
  openModel: OpenModel
  listProjects: ListProjects
  openJob: OpenJob
  engine: Pick<Engine, 'baseModels'>
  keepBlobs: KeepBlobs
  findTrainingData: FindTrainingData
  submit: SubmitJob
  cancel: (project: ProjectScope, job: TrainingJobRow) => Promise<void>
  limits: TrajectoryLimits
  clock: () => Micros
  newId: () => string
}

interface RlFields {
  model_id: string
  experimental_config: TrainingJobRow['config'] & object
}

const rlFields = training.trainingJobs.create.body.omit({ trajectory_groups: true })

export function trainingJobsHandlers(deps: TrainingJobsDeps): Handlers<typeof training.trainingJobs, Context> {
  const {
    store,
    checkpoints,
    openModel,
    listProjects,
    openJob,
    engine,
    keepBlobs,
    findTrainingData,
    submit,
    cancel,
    limits,
    clock,
    newId,
  } = deps

  function newRow(model: ModelRow, context: Context, input: BlobStat): Omit<TrainingJobRow, 'kind' | 'config' | 'source'> {
    const { id: model_id, project_id } = model
    const unset = { queue_job_id: null, parent_step: null, reference_step: null, step: null, message: null, error: null }
    const times = { created_at: clock(), started_at: null, ended_at: null }
    return { ...unset, ...times, id: newId(), project_id, model_id, status: 'queued', input, created_by: context.caller.userId }
  }

  /** @throws ApiError 400 for what the fields of a config mean together */
  async function checkConfig(config: Parameters<typeof resolveRlSettings>[0], model: ModelRow, context: Context): Promise<void> {
    const base = (await engine.baseModels()).find(({ id }) => id === model.base_model)
    if (!base) throw badRequest(`the base model "${model.base_model}" of the model is not served here; its training cannot go on`)
    const { klReference } = resolveRlSettings(config, base)
    const newest = await checkpoints.findNewest(context.work, model.id)
    const step = klReference.kind === 'step' ? klReferenceStep(klReference, newest?.step ?? 0) : null
    if (step === null || (await checkpoints.find(context.work, model.id, step))) return
    throw badRequest(`kl_penalty_reference_step ${step} is no checkpoint of the model (the newest is ${newest?.step ?? 0})`)
  }

  async function assertFewJobs(context: Context, model: ModelRow): Promise<void> {
    if ((await store.countUnfinished(context.work, model.id)) < maxUnfinished) return
    throw tooManyRequests(`the model "${model.name}" has ${maxUnfinished} training jobs that have not ended; wait for one to end`, 30)
  }

  return {
    async create({ content, 'idempotency-key': key }, context) {
      const { signal } = context.work
      const fields = await checkBody<RlFields>({ content: content.read(), fields: rlFields, limits, signal })
      const { model, project } = await openModel(context, fields.model_id)
      const config = fields.experimental_config ?? {}
      await checkConfig(config as Parameters<typeof resolveRlSettings>[0], model, context)
      await assertFewJobs(context, model)
      const { digest, sizeBytes } = content
      const repeat = toRepeatable({ caller: context.caller, operation: 'trainingJobs.create', key, content: digest })
      const row = { ...newRow(model, context, { digest, sizeBytes }), kind: 'rl', config, source: null } as TrainingJobRow
      const job = await keepBlobs(project, [content], () => store.create(project, row, repeat))
      await submit(project, job)
      return { id: job.id }
    },

    async createSft({ model_id, training_data_url, config, 'idempotency-key': key }, context) {
      const { model, project } = await openModel(context, model_id)
      checkSftConfig(config ?? {})
      await assertFewJobs(context, model)
      const data = await findTrainingData(context, training_data_url)
      const said = [model_id, training_data_url, config]
      const repeat = toRepeatable({ caller: context.caller, operation: 'trainingJobs.createSft', key, content: said })
      const row = { ...newRow(model, context, data.stat), kind: 'sft', config, source: training_data_url } as TrainingJobRow
      const job = await data.keep(project, () => store.create(project, row, repeat))
      await submit(project, job)
      return { id: job.id }
    },

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
      if (!after) throw notFound(`there is no training job ${JSON.stringify(job_id)}`)
      return toJob(after)
    },
  }
}
