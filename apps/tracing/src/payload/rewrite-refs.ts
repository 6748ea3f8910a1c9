import { badRequest, internalRefScheme, privateRefScheme, refScheme } from '@heddle/core-api/internal'
import { parseJson, stringifyJson } from '@heddle/json'
import { timeSlices } from '@heddle/service-kit'
import { mapRefs } from './map-refs.ts'

/** Most projects that the references of one value may name. */
const maxProjects = 100

/** Finds the projects that references name, for one caller. The implementation checks access. */
export interface RefProjects {
  /**
   * The internal id of a project.
   * @throws 400 for a malformed id, 403 when the caller may not use the project.
   */
  internalIdOf(projectId: string): Promise<string>
  /** The project with this internal id. Undefined if there is none that the caller may use. */
  findByInternalId(internalId: string): Promise<string | undefined>
}

/** A value in both forms. They are the value itself where it holds no reference. */
export interface RewrittenRefs {
  /** With internal ids of projects: the form of which digests are computed. */
  internal: unknown
  /** With `entity/project`: the stored and returned form. */
  external: unknown
}

/**
 * Writes the references of a request value in both forms.
 * @throws 400 for a reference that names no project, an internal one of another project than the caller may use, or more than 100 projects.
 */
export async function rewriteRefs(value: unknown, projects: RefProjects): Promise<RewrittenRefs> {
  const pace = timeSlices.begin()
  const named = collectProjects(value)
  await pace()
  if (named.external.size + named.internal.size === 0) return { internal: value, external: value }
  if (named.external.size + named.internal.size > maxProjects) {
    throw badRequest(`references name more than ${maxProjects} projects; split the value`)
  }
  const internalIds = new Map(await Promise.all([...named.external].map(async (id) => [id, await projects.internalIdOf(id)] as const)))
  const externalIds = new Map([...internalIds].map(([id, internalId]) => [internalId, id]))
  const found = [...named.internal].map(async (id) => externalIds.set(id, await readByInternalId(projects, id)))
  await Promise.all(found)
  const internal = mapRefs(value, { schemes: [refScheme], replace: (ref) => toInternal(ref, internalIds) })
  const external = mapRefs(internal, { schemes: [internalRefScheme], replace: (ref) => toExternal(ref, externalIds) })
  return { internal, external }
}

/**
 * One reference in external form.
 * @throws 400 for an internal one of a project that is not there or that the caller may not use.
 */
export async function toExternalRef(ref: string, projects: Pick<RefProjects, 'findByInternalId'>): Promise<string> {
  if (!ref.startsWith(internalRefScheme)) return ref
  const internalId = readInternalProject(ref)
  return toExternal(ref, new Map([[internalId, await readByInternalId(projects, internalId)]]))
}

/**
 * Hides references into projects that the reader may not see. `json` is the stored text of a value, returned unchanged if there is nothing to hide.
 */
export async function hidePrivateRefs(json: string, projectId: string, maySee: (projectId: string) => Promise<boolean>): Promise<string> {
  if (!namesOtherProject(json, projectId)) return json
  const value = parseJson(json, { loneSurrogates: 'keep' })
  const named = new Set<string>()
  mapRefs(value, { schemes: [refScheme], replace: (ref) => (named.add(projectOf(ref) ?? projectId), ref) })
  const hidden = new Set<string>()
  for (const id of named) if (id !== projectId && !(await maySee(id))) hidden.add(id)
  if (hidden.size === 0) return json
  return stringifyJson(
    mapRefs(value, { schemes: [refScheme], replace: (ref) => (hidden.has(projectOf(ref) ?? '') ? toPrivate(ref) : ref) }),
  )
}

interface NamedProjects {
  external: Set<string>
  internal: Set<string>
}

function collectProjects(value: unknown): NamedProjects {
  const named: NamedProjects = { external: new Set(), internal: new Set() }
  const note = (ref: string) => {
    if (ref.startsWith(internalRefScheme)) named.internal.add(readInternalProject(ref))
    else named.external.add(readProject(ref))
    return ref
  }
  mapRefs(value, { schemes: [refScheme, internalRefScheme], replace: note })
  return named
}

/** `entity/project` of an external reference. Undefined where it has fewer than three parts. */
function projectOf(ref: string): string | undefined {
  return /^weave:\/\/\/([^/]+\/[^/]+)\//.exec(ref)?.[1]
}

function readProject(ref: string): string {
  const id = projectOf(ref)
  if (id === undefined) throw badRequest(`Invalid URI: ${shown(ref)}`)
  return id
}

function internalProjectOf(ref: string): string | undefined {
  return /^weave-trace-internal:\/\/\/([^/]+)\//.exec(ref)?.[1]
}

function readInternalProject(ref: string): string {
  const id = internalProjectOf(ref)
  if (id === undefined) throw unexpectedInternalRef()
  return id
}

async function readByInternalId(projects: Pick<RefProjects, 'findByInternalId'>, internalId: string): Promise<string> {
  const id = await projects.findByInternalId(internalId)
  if (id === undefined) throw unexpectedInternalRef()
  return id
}

function unexpectedInternalRef() {
  return badRequest('Encountered unexpected internal ref format.')
}

function toInternal(ref: string, internalIds: ReadonlyMap<string, string>): string {
  const id = readProject(ref)
  return `${internalRefScheme}${internalIds.get(id) ?? ''}${ref.slice(refScheme.length + id.length)}`
}

function toExternal(ref: string, externalIds: ReadonlyMap<string, string>): string {
  const internalId = readInternalProject(ref)
  return `${refScheme}${externalIds.get(internalId) ?? ''}${ref.slice(internalRefScheme.length + internalId.length)}`
}

function toPrivate(ref: string): string {
  return `${privateRefScheme}${ref.slice(refScheme.length + (projectOf(ref) ?? '').length + 1)}`
}

/** False only when every reference in the text is one into this project. */
export function namesOtherProject(json: string, projectId: string): boolean {
  const own = `${projectId}/`
  for (let at = json.indexOf(refScheme); at >= 0; at = json.indexOf(refScheme, at + refScheme.length)) {
    if (!json.startsWith(own, at + refScheme.length)) return true
  }
  return false
}

function shown(ref: string): string {
  return ref.length > 200 ? `${ref.slice(0, 200)}…` : ref
}
