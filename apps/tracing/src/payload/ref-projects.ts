import { isApiError } from '@heddle/core-api'
import type { Context, Identity, ProjectScope } from '@heddle/identity'
import type { ProjectNamesStore } from './project-names-store.ts'
import type { RefProjects } from './rewrite-refs.ts'

/** The projects that references in one request may name. */
export interface RequestRefProjects extends RefProjects {
  /** True where the caller may read the project. */
  maySee(projectId: string): Promise<boolean>
  /** The project, opened for reading; undefined where the caller may not. */
  openToRead(projectId: string): Promise<ProjectScope | undefined>
}

/** Finds projects of references on behalf of a caller that works in one project, or in none. */
export type RefProjectsFor = (project: ProjectScope | undefined, context: Context) => RequestRefProjects

interface RefProjectsDeps {
  identity: Pick<Identity, 'contextFor'>
  names: ProjectNamesStore
}

/**
 * A reference may name any project that the caller may read, or may create by its first use. Projects that it may not read are refused
 * whether they exist or not.
 */
export function createRefProjects({ identity, names }: RefProjectsDeps): RefProjectsFor {
  return (project, context) => {
    const openToRead = async (projectId: string) =>
      projectId === project?.id ? project : orUndefined(identity.contextFor(context.caller, 'read', context.work).open(projectId))
    const maySee = async (projectId: string) => (await openToRead(projectId)) !== undefined
    return {
      maySee,
      openToRead,
      async internalIdOf(projectId) {
        if (projectId === project?.id) return project.internalId
        const seen = await openToRead(projectId)
        return seen?.internalId || (await context.open(projectId)).internalId
      },
      async findByInternalId(internalId) {
        if (internalId === project?.internalId) return project.id
        const projectId = await names.findByInternalId(internalId)
        return projectId !== undefined && (await maySee(projectId)) ? projectId : undefined
      },
    }
  }
}

/** Undefined if access is refused. Other failures are rethrown. */
async function orUndefined(opened: Promise<ProjectScope>): Promise<ProjectScope | undefined> {
  return opened.catch((error: unknown) => {
    if (isApiError(error) && error.code === 'forbidden') return undefined
    throw error
  })
}
