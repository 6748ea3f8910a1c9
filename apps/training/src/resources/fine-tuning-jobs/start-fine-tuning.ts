import { badRequest } from '@heddle/core-api/internal'
import type { FineTuningRequest } from '@heddle/core-api/types'
import type { Blobs, Micros } from '@heddle/datastore'
import type { Context, ProjectScope } from '@heddle/identity'
import type { BaseModel } from '../../engine/engine.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { adapterRequestOf, checkSftConfig, type SftConfig } from '../../training/sft/sft-config.ts'
import type { ResolvedModel, ResolveModel } from '../served-models/resolve-model.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import { checkedModelName } from '../models/model-name.ts'
import type { ModelsStore } from '../models/models-store.ts'
import type { OpenedModel, OpenModel } from '../models/open-model.ts'
import { type FoundTrainingData, storedData } from '../training-data/find-training-data.ts'
import { openNamedProject } from '../training-files/named-project.ts'
import type { OpenedTrainingFile, OpenTrainingFile } from '../training-files/open-training-file.ts'
import type { CheckMemory } from '../training-jobs/check-memory.ts'
import type { FindAdapter } from '../training-jobs/find-adapter.ts'
import type { StartSftJob } from '../training-jobs/start-sft-job.ts'
import type { StoredFineTuning } from '../training-jobs/stored-fine-tuning.ts'
import type { TrainingJobRow } from '../training-jobs/training-job-row.ts'
import { joinFiles } from './join-files.ts'
import { resolveHyperparameters, toSftConfig } from './resolve-hyperparameters.ts'

type Method = StoredFineTuning['method']

export interface StartFineTuningDeps {
  models: Pick<ModelsStore, 'create'>
  checkpoints: Pick<CheckpointsStore, 'findNewest'>
  openModel: OpenModel
  resolveModel: ResolveModel
  openFile: OpenTrainingFile
  blobs: Pick<Blobs, 'put' | 'read'>
  keepBlobs: KeepBlobs
  findAdapter: FindAdapter
  checkMemory: CheckMemory
  startSftJob: StartSftJob
  clock: () => Micros
  newId: () => string
}

/** Starts the job of a request of a client of OpenAI, `projectName` from its header. @throws ApiError that names the field */
export type StartFineTuning = (
  request: FineTuningRequest,
  context: Context,
  projectName: string | undefined,
) => Promise<{ job: TrainingJobRow; project: ProjectScope }>

export function createStartFineTuning(deps: StartFineTuningDeps): StartFineTuning {
  const { models, checkpoints, openModel, resolveModel, openFile, blobs, keepBlobs, findAdapter, checkMemory, startSftJob, clock, newId } =
    deps

  /** The model that is trained: a new one of a base model, or the named one. */
  async function findModel(
    { model: name, suffix }: FineTuningRequest,
    context: Context,
    { base, checkpoint }: ResolvedModel,
    ofNew: () => Promise<ProjectScope>,
  ): Promise<OpenedModel> {
    if (checkpoint === null) return createModel(context, await ofNew(), { base_model: base.id, beginning: suffix ?? nameOf(base.id) })
    if (suffix !== null)
      throw badRequest(`suffix names a new model, and ${JSON.stringify(name)} is trained further under its own name; leave it out`, {
        param: 'suffix',
      })
    const opened = await openModel(context, checkpoint.model_id)
    const newest = await checkpoints.findNewest(context.work, checkpoint.model_id)
    if (newest && newest.step !== checkpoint.step)
      throw badRequest(`model ${JSON.stringify(name)} is not its newest step, with which training continues; name step ${newest.step}`, {
        param: 'model',
      })
    return opened
  }

  async function createModel(
    context: Context,
    project: ProjectScope,
    { base_model, beginning }: { base_model: string; beginning: string },
  ): Promise<OpenedModel> {
    const id = newId()
    const row = {
      id,
      project_id: project.id,
      // The last part of an id is random.
      name: `${beginning}-${id.slice(id.lastIndexOf('-') + 1)}`,
      base_model,
      run_id: null,
      created_by: context.caller.userId,
      created_at: clock(),
    }
    const created = await models.create(project, { row, checkpointId: newId(), repeat: undefined })
    return { model: created.row, project }
  }

  /** A model made for a job that is then refused would stay without one. */
  async function assertTrainable(context: Context, base: BaseModel, config: SftConfig, { stat }: FoundTrainingData): Promise<void> {
    const adapter = await findAdapter(context, { base, modelId: null, ...adapterRequestOf(config) })
    await checkMemory.ofSft(context, { base, adapter, config, data: stat })
  }

  /** The content of a file, until it is deleted. */
  function contentOf(context: Context, { file }: OpenedTrainingFile): FoundTrainingData {
    const stat = { digest: file.sha256, sizeBytes: file.size_bytes }
    const { keep } = storedData(keepBlobs, stat)
    return {
      stat,
      keep: (project, work) =>
        keep(project, async () => {
          await openFile(context, file.id, 'training_file')
          return work()
        }),
    }
  }

  /** What a job learns from, and behind it what it is validated on. */
  async function findContent(
    context: Context,
    training: OpenedTrainingFile,
    validation: OpenedTrainingFile | null,
  ): Promise<FoundTrainingData> {
    if (validation === null) return contentOf(context, training)
    return storedData(keepBlobs, await joinFiles(blobs, [training.file, validation.file], context.work.signal))
  }

  async function openUsable(context: Context, id: string, method: Method, param: string): Promise<OpenedTrainingFile> {
    const opened = await openFile(context, id, param)
    assertUsable(opened, method, param)
    return opened
  }

  return async (request, context, projectName) => {
    refuseUnsupported(request)
    const method: Method = request.method?.type === 'dpo' ? 'dpo' : 'supervised'
    if (request.suffix !== null) checkedModelName(request.suffix, 'suffix')
    const { training_file, validation_file, metadata } = request
    const opened = await openUsable(context, training_file, method, 'training_file')
    const validation = validation_file === null ? null : await openUsable(context, validation_file, method, 'validation_file')
    const resolved = await resolveModel(context, request.model)
    const hyperparameters = resolveHyperparameters(request, method, opened.file.examples)
    const config = toSftConfig(hyperparameters, {
      method,
      seed: request.seed,
      learningRates: resolved.base.learningRates,
      heldOutRows: validation?.file.examples ?? null,
    })
    checkSftConfig(config)
    const content = await findContent(context, opened, validation)
    if (resolved.checkpoint === null) await assertTrainable(context, resolved.base, config, content)
    const ofNew = async () => (projectName ? openNamedProject(context, projectName) : opened.project)
    const trained = await findModel(request, context, resolved, ofNew)
    const fineTuning: StoredFineTuning = {
      model: request.model,
      trained_model: `${trained.model.project_id}/${trained.model.name}`,
      training_file,
      validation_file,
      method,
      hyperparameters,
      metadata,
    }
    const { job } = await startSftJob(context, trained, { findData: async () => content, config, source: null, fineTuning })
    return { job, project: trained.project }
  }
}

/** A base model's id as the beginning of a name. */
const nameOf = (baseModel: string) =>
  baseModel
    .replaceAll(/[/:@\p{Cc}\p{Cs}]/gu, '-')
    .trim()
    .slice(0, 64)

function refuseUnsupported({ method, integrations }: FineTuningRequest): void {
  if (method?.type === 'reinforcement')
    throw badRequest('method "reinforcement" is not supported at this address; train on trajectories with POST /v1/preview/training-jobs', {
      param: 'method.type',
    })
  if (integrations !== null && integrations.length > 0)
    throw badRequest('integrations are not supported: metrics are in the events of the job; leave them out', { param: 'integrations' })
}

/** @throws ApiError 400 for a file with invalid lines, or with data that the method cannot learn from */
function assertUsable({ file }: OpenedTrainingFile, method: Method, param: string): void {
  if (file.error !== null) throw badRequest(`${param} ${file.id} cannot be learned: ${file.error}`, { param })
  const wanted = method === 'dpo' ? 'preferences' : 'conversations'
  if (file.kind === wanted) return
  const what = file.kind === 'preferences' ? 'preference pairs, which the method "dpo" learns' : 'conversations, which "supervised" learns'
  throw badRequest(`${param} ${file.id} holds ${what}; the method is "${method}"`, { param })
}
