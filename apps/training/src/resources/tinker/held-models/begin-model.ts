import { badRequest } from '@heddle/core-api/internal'
import type { Micros } from '@heddle/datastore'
import type { ProjectScope } from '@heddle/identity'
import type { TrainingSession } from '../../../engine/engine.ts'
import { checkedModelName } from '../../models/model-name.ts'
import type { ModelsStore } from '../../models/models-store.ts'
import type { TinkerStore } from '../tinker-store.ts'
import { createHeldModel, type HeldModel, type HeldModelDeps } from './held-model.ts'
import type { OpenTraining, TrainingBegin } from './open-training.ts'

export interface BeginModelDeps extends HeldModelDeps {
  models: Pick<ModelsStore, 'create'>
  store: TinkerStore
  openTraining: OpenTraining
  clock: () => Micros
}

export interface NewHeldModel {
  /** Of its run. */
  id: string
  /** Name of the model in its project; null for one that the id makes unique. */
  name: string | null
  userMetadata: Readonly<Record<string, string>> | null
  createdBy: string
  begin: TrainingBegin
  /** Its base model as the client names it. */
  namedBase: string
  /** Whether it begins with loaded weights, and not as the base model. */
  isLoaded: boolean
}

/** Registers a model as soon as the engine holds it. @throws ApiError 400 for a name that is taken, EngineError */
export type BeginModel = (project: ProjectScope, model: NewHeldModel, signal: AbortSignal) => Promise<HeldModel>

export function createBeginModel(deps: BeginModelDeps): BeginModel {
  const { models, store, openTraining, clock, newId } = deps

  async function register(project: ProjectScope, { id, name, userMetadata, createdBy, begin, namedBase }: NewHeldModel) {
    const own = name === null ? defaultName(id) : checkedModelName(name, 'user_metadata.heddle_model')
    const [model_id, created_at, base_model] = [newId(), clock(), begin.base.id]
    const row = { id: model_id, project_id: project.id, name: own, base_model, run_id: null, created_by: createdBy, created_at }
    const { isNew } = await models.create(project, { row, checkpointId: newId(), repeat: undefined })
    if (!isNew)
      throw badRequest(
        `${project.id} has a model "${own}" already; choose another heddle_model, or go on from its saved weights with create_training_client_from_state`,
      )
    const run = {
      id,
      project_id: project.id,
      model_id,
      named_base_model: namedBase,
      rank: begin.adapter?.rank ?? null,
      user_metadata: userMetadata,
      created_by: createdBy,
      created_at,
    }
    await store.addRun(project, run)
    return { ...run, model_name: own, base_model }
  }

  return async (project, model, signal) => {
    const session = await openTraining(model.begin, signal)
    const run = await register(project, model).catch((error: unknown) => closeAfter(session, error))
    return createHeldModel({ run, session, step: 0, isChanged: model.isLoaded, signal }, deps)
  }
}

async function closeAfter(session: TrainingSession, error: unknown): Promise<never> {
  await session.close()
  throw error
}

/** `tinker-` with the end of the session's id, which is random, and the number of the model. */
function defaultName(id: string): string {
  const [session = '', , number = ''] = id.split(':')
  return `tinker-${session.slice(-12)}-${number}`
}
