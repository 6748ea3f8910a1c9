import { type JsonObject, parseRef } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'
import type { ProjectScope } from '@heddle/identity'
import { toObjectClass } from '../resources/objects/versions/object-class.ts'
import type { ResolveRefs } from '../resources/refs/resolve-refs.ts'

/** An object that cannot be used, and why. */
export class ObjectError extends Error {
  override readonly name = 'ObjectError'
}

export interface LoadedObject {
  /** Names of its class and of the classes above it. */
  classes: readonly string[]
  value: JsonObject
}

/**
 * Reads an object of the project. At each of the dotted `places` inside it that holds a reference, the value that this leads to takes its place.
 * @throws ObjectError for a reference to an op or to another project, and where there is no live object. Code that is stored is never run.
 */
export type LoadObject = (project: ProjectScope, ref: string, places?: readonly string[]) => Promise<LoadedObject>

export function createLoadObject(resolveRefs: ResolveRefs): LoadObject {
  async function readValue(project: ProjectScope, text: string): Promise<JsonObject> {
    const ref = parseRef(text)
    if (ref?.kind !== 'object') throw new ObjectError(`${shown(text)} is not a reference to an object`)
    if (`${ref.entity}/${ref.project}` !== project.id) throw new ObjectError(`${shown(text)} is in another project than ${project.id}`)
    const resolved = (await resolveRefs(project, [text])).get(text)
    if (resolved?.status !== 'found')
      throw new ObjectError(`${shown(text)} was ${resolved?.status === 'deleted' ? 'deleted' : 'not found'}`)
    if (!isJsonObject(resolved.value)) throw new ObjectError(`${shown(text)} is not an object`)
    return resolved.value
  }

  async function fillIn(project: ProjectScope, value: JsonObject, [key = '', ...rest]: readonly string[]): Promise<JsonObject> {
    const found = value[key]
    const own = typeof found === 'string' && parseRef(found)?.kind === 'object' ? await readValue(project, found) : found
    if (!isJsonObject(own)) return value
    return { ...value, [key]: rest.length === 0 ? own : await fillIn(project, own, rest) }
  }

  return async (project, ref, places = []) => {
    let value = await readValue(project, ref)
    const classes = classesOf(value)
    for (const place of places) value = await fillIn(project, value, place.split('.'))
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
