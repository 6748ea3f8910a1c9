import type { Context } from '@heddle/identity'
import type { ModelsStore } from './models-store.ts'
import { openOrHide } from './open-model.ts'

/** Projects of an entity that one listing looks through. */
const maxProjects = 1_000

export interface ProjectFilter {
  /** Null: that of the API key. */
  entity: string | null
  /** Without the entity. Null: all of the entity. */
  project: string | null
}

/** Ids of the projects that a listing covers: the named one, else those with models that the key may read. @throws ApiError 403, 404 */
export type ListProjects = (context: Context, filter: ProjectFilter) => Promise<string[]>

export function createListProjects(store: Pick<ModelsStore, 'listProjects'>): ListProjects {
  return async (context, { entity, project }) => {
    const owner = entity ?? context.caller.entity
    if (project !== null) return [(await context.open(`${owner}/${project}`)).id]
    const readable: string[] = []
    for (const id of await store.listProjects(context.work, owner, maxProjects)) if (await openOrHide(context, id)) readable.push(id)
    return readable
  }
}
