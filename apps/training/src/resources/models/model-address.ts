import { isUuid } from '@heddle/core-api/internal'

/** A checkpoint of a model: the newest, the one of a step, or the n-th of those stored, from 0. */
export type CheckpointAlias = { kind: 'newest' } | { kind: 'step'; step: number } | { kind: 'version'; place: number }

/** The parsed name of a model in a request. `unknown`: no model can have this name. */
export type ModelAddress =
  | { kind: 'name'; project: string; name: string; alias: CheckpointAlias }
  | { kind: 'id'; id: string; alias: CheckpointAlias }
  | { kind: 'unknown' }

const scheme = /^[a-z][a-z0-9]*-artifact:\/{2,3}/

/**
 * Reads the name of a trained model: `{entity}/{project}/{name}` or the id of a model, after the scheme of an artifact of any service, and before
 * `:step{N}`, `@{N}`, `:v{K}` or `:latest`. Names may contain dots, dashes and underscores; the alias follows the last colon after the last slash.
 */
export function parseModelAddress(text: string): ModelAddress {
  const { address, alias } = splitAlias(text.replace(scheme, ''))
  if (alias === undefined) return { kind: 'unknown' }
  const [entity, project, name, ...more] = address.split('/')
  if (entity !== undefined && project === undefined) {
    const id = entity.toLowerCase()
    return isUuid(id) ? { kind: 'id', id, alias } : { kind: 'unknown' }
  }
  if (!entity || !project || !name || more.length > 0) return { kind: 'unknown' }
  return { kind: 'name', project: `${entity}/${project}`, name, alias }
}

function splitAlias(text: string): { address: string; alias: CheckpointAlias | undefined } {
  const at = Math.max(text.lastIndexOf(':'), text.lastIndexOf('@'))
  if (at <= text.lastIndexOf('/')) return { address: text, alias: { kind: 'newest' } }
  return { address: text.slice(0, at), alias: parseAlias(text.slice(at)) }
}

function parseAlias(alias: string): CheckpointAlias | undefined {
  if (alias === ':latest') return { kind: 'newest' }
  const [, prefix, digits] = /^(:step|:v|@)(\d{1,15})$/.exec(alias) ?? []
  if (digits === undefined) return undefined
  return prefix === ':v' ? { kind: 'version', place: Number(digits) } : { kind: 'step', step: Number(digits) }
}
