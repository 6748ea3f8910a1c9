import { type JsonObject, type JsonValue, textOf } from '../json-value.ts'
import { isTruthy, lookUp } from './attributes/look-up.ts'

const entityPath = ['wandb', 'entity']
const projectPath = ['wandb', 'project']
const runPaths = [
  ['wandb', 'wb_run_id'],
  ['wandb', 'run_id'],
]

/** `entity/project` of the attributes of a resource; undefined unless both are set. */
export function projectOfResource(attributes: JsonObject): string | undefined {
  const entity = text(lookUp(attributes, entityPath))
  const project = text(lookUp(attributes, projectPath))
  return entity !== undefined && project !== undefined ? `${entity}/${project}` : undefined
}

/** Name of the training run of a resource, without its project. */
export function runOfResource(attributes: JsonObject): string | undefined {
  for (const path of runPaths) {
    const run = text(lookUp(attributes, path))
    if (run !== undefined) return run
  }
  return undefined
}

/** `entity/project` of a `project_id` header, which may be percent-encoded; undefined when it is absent or empty. Its shape is checked where access is. */
export function projectOfHeader(header: string | undefined): string | undefined {
  const sent = header?.trim()
  if (!sent) return undefined
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent
  }
}

/** True for two non-empty names with one slash between them. */
export function isProjectId(project: string): boolean {
  return /^[^/]+\/[^/]+$/.test(project)
}

function text(value: JsonValue | undefined): string | undefined {
  return value !== undefined && isTruthy(value) ? textOf(value) : undefined
}
