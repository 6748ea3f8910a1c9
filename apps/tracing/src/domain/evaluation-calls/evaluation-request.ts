import type { Context, ProjectScope } from '@heddle/identity'
import type { RefProjectsFor, RequestRefProjects } from '../../payload/ref-projects.ts'
import { hidePrivateRefs } from '../../payload/rewrite-refs.ts'
import { payloadColumns, type CallColumns } from '../../records/calls/calls-store.ts'

/** A request on behalf of which calls of evaluations are written or read. */
export interface EvaluationRequest {
  project: ProjectScope
  projects: RequestRefProjects
  /** User of the key. */
  userId: string
}

/** Opens the project that a path names. @throws ApiError 400 for a malformed one, 403 for one that the caller may not use. */
export type OpenEvaluations = (place: { entity: string; project: string }, context: Context) => Promise<EvaluationRequest>

export function createOpenEvaluations(refProjects: RefProjectsFor): OpenEvaluations {
  return async ({ entity, project: name }, context) => {
    const project = await context.open(`${entity}/${name}`)
    return { project, projects: refProjects(project, context), userId: context.caller.userId }
  }
}

/** A call as the caller may see it: without references into projects that it may not read. */
export async function presentCall({ project, projects }: EvaluationRequest, call: CallColumns): Promise<CallColumns> {
  const shown = { ...call }
  for (const column of payloadColumns) {
    const text = call[column]
    if (text !== null) shown[column] = await hidePrivateRefs(text, project.id, projects.maySee)
  }
  return shown
}
