import { notFound } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import { openOrHide } from '../models/open-model.ts'
import type { TrainingFileRow } from './training-file-row.ts'
import type { TrainingFilesStore } from './training-files-store.ts'

export interface OpenedTrainingFile {
  file: TrainingFileRow
  project: ProjectScope
}

/** Finds a file by its id and opens its project. `field` names it in errors. @throws ApiError 404 also where the key may not use the project */
export type OpenTrainingFile = (context: Context, id: string, field?: string) => Promise<OpenedTrainingFile>

export function createOpenTrainingFile(store: Pick<TrainingFilesStore, 'find'>): OpenTrainingFile {
  return async (context, id, field = 'file_id') => {
    const file = await store.find(context.work, id)
    const project = file && (await openOrHide(context, file.project_id))
    if (!project) throw noSuchFile(id, field)
    return { file, project }
  }
}

export const noSuchFile = (id: string, field: string) =>
  notFound(`${field}: file ${JSON.stringify(id.slice(0, 100))} not found; upload it with POST /v1/files`, { param: field })
