import { isApiError } from '@heddle/core-api'
import { notFound } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import type { ModelRow } from './model-row.ts'
import type { ModelsStore } from './models-store.ts'

export interface OpenedModel {
  model: ModelRow
  project: ProjectScope
}

/** Finds a model by its id and opens its project. @throws ApiError 404 also if the key may not use the project, so that ids reveal nothing */
export type OpenModel = (context: Context, id: string) => Promise<OpenedModel>

export function createOpenModel(store: Pick<ModelsStore, 'find'>): OpenModel {
  return async (context, id) => {
    const model = id.includes('\0') ? undefined : await store.find(context.work, id)
    const project = model && (await openOrHide(context, model.project_id))
    if (!project) throw noSuchModel(id)
    return { model, project }
  }
}

export const noSuchModel = (id: string) => notFound(`model ${JSON.stringify(id.slice(0, 100))} not found`)

/** The project; undefined where the key may not use it. */
export async function openOrHide(context: Context, projectId: string): Promise<ProjectScope | undefined> {
  return context.open(projectId).catch((error: unknown) => {
    if (isApiError(error) && error.code === 'forbidden') return undefined
    throw error
  })
}
