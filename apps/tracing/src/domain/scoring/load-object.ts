import { type JsonObject, parseRef } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { toObjectClass } from '../../records/objects/versions/object-class.ts'
import type { ResolveRefs } from '../../records/refs/resolve-refs.ts'

/** A reference to an object that cannot be used, and why. */
export class ObjectError extends Error {
  override readonly name = 'ObjectError'
}

export interface LoadedObject {
  /** Its class, then its base classes. */
  classes: readonly string[]
  value: JsonObject
}

/**
 * Reads an object of the project. A reference at one of the dotted `paths` inside it is replaced by the value of its object, so that a later
 * path can lead through it.
 * @throws ObjectError for a reference to an op or into another project, and for an object that is unknown or deleted
 */
export type LoadObject = (project: ProjectScope, ref: string, paths?: readonly string[]) => Promise<LoadedObject>

export function createLoadObject(resolveRefs: ResolveRefs): LoadObject {
  async function readValue(project: ProjectScope, text: string): Promise<JsonObject> {
    const ref = parseRef(text)
    if (ref?.kind !== 'object') throw new ObjectError(`${shown(text)} is not a reference to an object`)
    if (`${ref.entity}/${ref.project}` !== project.id) throw new ObjectError(`${shown(text)} is in another project than ${project.id}`)
    const resolved = (await resolveRefs(project, [text])).get(text)
    if (resolved?.status === 'deleted') throw new ObjectError(`${shown(text)} was deleted`)
    if (resolved?.status !== 'found') throw new ObjectError(`${shown(text)} was not found`)
    if (!isJsonObject(resolved.value)) throw new ObjectError(`${shown(text)} is not an object`)
    return resolved.value
  }

  async function expandRef(project: ProjectScope, value: JsonObject, [key = '', ...rest]: readonly string[]): Promise<JsonObject> {
    const found = value[key]
    const part = typeof found === 'string' && parseRef(found)?.kind === 'object' ? await readValue(project, found) : found
    if (!isJsonObject(part)) return value
    return { ...value, [key]: rest.length === 0 ? part : await expandRef(project, part, rest) }
  }

  return async (project, ref, paths = []) => {
    let value = await readValue(project, ref)
    const classes = classesOf(value)
    for (const path of paths) value = await expandRef(project, value, path.split('.'))
    return { classes, value }
  }
}

function classesOf(value: JsonObject): string[] {
  const { base_object_class, leaf_object_class } = toObjectClass(value)
  const { _class_name: name, _bases: bases } = value
  const all: unknown[] = [leaf_object_class, base_object_class, name, ...(Array.isArray(bases) ? (bases as unknown[]) : [])]
  return all.filter((each) => typeof each === 'string')
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 300))
}
