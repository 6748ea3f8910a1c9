import { badRequest, forbidden } from '@heddle/core-api/internal'
import { isReservedEntity } from './reserved-entities.ts'

/** Characters allowed in each half of a project id. */
const maxHalfLength = 128

export interface ProjectName {
  /** `entity/name`, as it travels. */
  id: string
  entity: string
  name: string
}

/**
 * Parses an external project id.
 * @throws 400 when it is not `entity/project` with two valid names, 403 for the project that disabled clients post to.
 */
export function parseProjectId(id: string): ProjectName {
  const [entity, name, ...rest] = id.split('/')
  if (!entity || !name || rest.length > 0) {
    throw badRequest(`project_id ${shown(id)} must be "entity/project": one slash with a name on each side`)
  }
  if (id === 'DISABLED/DISABLED') throw forbidden()
  checkHalf('entity', entity)
  checkHalf('project', name)
  if (isReservedEntity(entity)) {
    throw badRequest(`entity ${shown(entity)} is reserved as a path of this service; choose another entity in project_id ${shown(id)}`)
  }
  return { id, entity, name }
}

/** The same; undefined where it is none. */
export function findProjectName(id: string): ProjectName | undefined {
  try {
    return parseProjectId(id)
  } catch {
    return undefined
  }
}

function checkHalf(half: 'entity' | 'project', value: string): void {
  if (value.length > maxHalfLength) {
    throw badRequest(`${half} ${shown(value)} has ${value.length} characters; at most ${maxHalfLength} are allowed`)
  }
  if (/[\p{Cc}\p{Cs}]/u.test(value)) throw badRequest(`${half} ${shown(value)} contains a control character; remove it`)
  if (value.trim() !== value) throw badRequest(`${half} ${shown(value)} begins or ends with white space; remove it`)
}

function shown(value: string): string {
  return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value)
}
