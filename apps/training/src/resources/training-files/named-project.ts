import { badRequest } from '@heddle/core-api/internal'
import type { Context, ProjectScope } from '@heddle/identity'
import type { ProjectFilter } from '../models/list-projects.ts'

/** What the header `OpenAI-Project` names: `entity/project`, or a project of the entity of the key. */
export function toProjectFilter(header: string | undefined): ProjectFilter {
  if (!header) return { entity: null, project: null }
  const at = header.indexOf('/')
  return at === -1 ? { entity: null, project: header } : { entity: header.slice(0, at), project: header.slice(at + 1) }
}

/** Opens the named project, or without a name the only one of the key. @throws ApiError 400 where the key may use several, or none yet */
export async function openNamedProject(context: Context, header: string | undefined): Promise<ProjectScope> {
  const { entity, project } = toProjectFilter(header)
  if (project !== null) return context.open(`${entity ?? context.caller.entity}/${project}`)
  const [only, another] = await context.list({ contains: '', after: '', limit: 2 })
  if (only && !another) return context.open(only.scope.id)
  const why = only ? 'several projects' : 'no project yet'
  throw badRequest(`the API key has access to ${why}; name one in the header OpenAI-Project, as \`project\` of OpenAI's client does`, {
    param: 'OpenAI-Project',
  })
}
