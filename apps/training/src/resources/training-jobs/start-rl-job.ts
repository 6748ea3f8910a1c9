import { badRequest, type StagedBytes } from '@heddle/core-api/internal'
import type { Context } from '@heddle/identity'
import type { BodyReader } from '../../body-threads/body-reader.ts'
import type { KeepBlobs } from '../../keep-blobs.ts'
import { klReferenceStep } from '../../objective/settings/resolve-kl-reference.ts'
import { resolveRlSettings } from '../../objective/settings/resolve-rl-settings.ts'
import { toRepeatable } from '../../repeats/repeatable.ts'
import type { TrajectoryLimits } from '../../request-body/check-body.ts'
import { checkRequest } from '../../request-body/check-request.ts'
import type { CheckpointsStore } from '../checkpoints/checkpoints-store.ts'
import type { FindBase } from '../models/find-base.ts'
import type { OpenedModel, OpenModel } from '../models/open-model.ts'
import type { CheckMemory } from './check-memory.ts'
import type { FindAdapter } from './find-adapter.ts'
import { findTeacher, type FindTeacherDeps } from './find-teacher.ts'
import type { AssertFewJobs, NewRow } from './new-training-job.ts'
import type { SubmitJob } from './submit-job.ts'
import type { TrainingJobRow } from './training-job-row.ts'
import type { TrainingJobsStore } from './training-jobs-store.ts'

export interface StartRlJobDeps {
  store: TrainingJobsStore
  checkpoints: CheckpointsStore
  teachers: FindTeacherDeps
  openModel: OpenModel
  findBase: FindBase
  findAdapter: FindAdapter
  checkMemory: CheckMemory
  keepBlobs: KeepBlobs
  submit: SubmitJob
  bodies: BodyReader
  limits: TrajectoryLimits
  assertFewJobs: AssertFewJobs
  newRow: NewRow
}

interface RlRequest {
  /** Fields and trajectory groups, as JSON. */
  content: StagedBytes & { read(): AsyncIterable<Uint8Array> }
  /** Idempotency key. */
  key: string | undefined
}

/** Starts a job of reinforcement learning, and returns its id. @throws ApiError that describes the problem of the request */
export type StartRlJob = (request: RlRequest, context: Context) => Promise<{ id: string }>

interface RlFields {
  model_id: string
  experimental_config: TrainingJobRow['config'] & object
}

export function createStartRlJob(deps: StartRlJobDeps): StartRlJob {
  const { store, checkpoints, teachers, openModel, findBase, findAdapter, checkMemory, keepBlobs, submit, bodies, limits } = deps
  const { assertFewJobs, newRow } = deps

  /** @throws ApiError 400 for invalid combinations of fields */
  async function checkConfig(
    config: Parameters<typeof resolveRlSettings>[0],
    { model, project }: OpenedModel,
    context: Context,
  ): Promise<void> {
    const base = await findBase(model)
    const { klReference, teacher } = resolveRlSettings(config, base)
    const found = teacher === null ? null : await findTeacher(teacher, { student: base, project }, teachers)
    if (found && 'problem' in found) throw badRequest(found.problem)
    const adapter = await findAdapter(context, { base, modelId: model.id, rank: null, modules: null })
    await checkMemory.ofRl(context, { base, adapter, teacher: found })
    const newest = await checkpoints.findNewest(context.work, model.id)
    const step = klReference.kind === 'step' ? klReferenceStep(klReference, newest?.step ?? 0) : null
    if (step === null || (await checkpoints.find(context.work, model.id, step))) return
    throw badRequest(`kl_penalty_reference_step ${step} is not a checkpoint of the model (the newest is ${newest?.step ?? 0})`)
  }

  return async ({ content, key }, context) => {
    const { caller, signal } = context.work
    const { digest, sizeBytes } = content
    const input = { operation: 'trainingJobs.create', limits } as const
    const body = { content: () => content.read(), sizeBytes, input, signal, caller }
    const fields = (await bodies.readOne(checkRequest, body)) as unknown as RlFields
    const opened = await openModel(context, fields.model_id)
    const { model, project } = opened
    const config = fields.experimental_config ?? {}
    await checkConfig(config as Parameters<typeof resolveRlSettings>[0], opened, context)
    await assertFewJobs(context, model)
    const repeat = toRepeatable({ caller: context.caller, operation: 'trainingJobs.create', key, content: digest })
    const row = { ...newRow(model, context, { digest, sizeBytes }), kind: 'rl', config, source: null } as TrainingJobRow
    const job = await keepBlobs(project, [content], () => store.create(project, row, repeat))
    await submit(project, job)
    return { id: job.id }
  }
}
