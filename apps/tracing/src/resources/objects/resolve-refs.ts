import { type ObjectRef, parseRef } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/service-kit/json'
import { parseDigestArgument } from './digest-argument.ts'
import { followEdges } from './follow-edges.ts'
import type { ObjectValuesStore } from './object-values-store.ts'
import type { ObjectsStore, StoredVersion } from './objects-store.ts'

/** References that one path may run through. */
const maxHops = 20

/** What a reference leads to. `deleted` and `unknown` tell of the version that it names, or of one on the way. */
export type ResolvedRef =
  | { status: 'found'; value: unknown }
  | { status: 'deleted' }
  | { status: 'unknown'; digest: string }
  | { status: 'invalid'; reason: string }

/**
 * Reads what references to objects and ops of one project lead to, by reference text; each once, however often it is given.
 * References inside a value stay as they are stored. One of another project is `unknown` here: open that project and ask there.
 */
export type ResolveRefs = (project: ProjectScope, refs: Iterable<string>) => Promise<Map<string, ResolvedRef>>

interface ResolveRefsDeps {
  objects: ObjectsStore
  values: ObjectValuesStore
}

export function createResolveRefs({ objects, values }: ResolveRefsDeps): ResolveRefs {
  /** Values of versions, each parsed once. */
  async function readValues(project: ProjectScope, versions: readonly (StoredVersion | undefined)[]): Promise<Map<string, unknown>> {
    const digests = versions.flatMap((version) => (version && version.deleted_at === null ? [version.digest] : []))
    const parsed = new Map<string, unknown>()
    for (const [digest, json] of await values.read(project, [...new Set(digests)]))
      parsed.set(digest, parseJson(json, { loneSurrogates: 'keep' }))
    return parsed
  }

  /** One step of all paths: what they lead to, or the references that they lead through. */
  async function step(project: ProjectScope, pending: ReadonlyMap<string, ObjectRef>): Promise<Map<string, ResolvedRef | ObjectRef>> {
    const refs = [...pending]
    const wanted = refs.map(([, { name, digest }]) => ({ object_id: name, argument: parseDigestArgument(digest) }))
    const versions = await objects.findVersions(project, wanted)
    const found = await readValues(project, versions)
    return new Map(refs.map(([text, ref], index) => [text, follow(ref, versions[index], found, project.id)]))
  }

  return async (project, refs) => {
    const resolved = new Map<string, ResolvedRef>()
    let pending = new Map<string, ObjectRef>()
    for (const text of refs) {
      const read = readRef(text, project.id)
      if ('status' in read) resolved.set(text, read)
      else pending.set(text, read)
    }
    for (let hop = 0; pending.size > 0 && hop < maxHops; hop++) {
      const through = new Map<string, ObjectRef>()
      for (const [text, result] of await step(project, pending)) {
        if ('status' in result) resolved.set(text, result)
        else through.set(text, result)
      }
      pending = through
    }
    for (const text of pending.keys()) resolved.set(text, invalid(`${text} runs through more than ${maxHops} references`))
    return resolved
  }
}

function readRef(text: string, projectId: string): ResolvedRef | ObjectRef {
  const ref = parseRef(text)
  if (ref === undefined) return invalid(`${text} is no reference`)
  if (ref.kind !== 'object' && ref.kind !== 'op') return invalid(`${text} leads to a ${ref.kind}; only objects and ops can be read here`)
  return `${ref.entity}/${ref.project}` === projectId ? ref : { status: 'unknown', digest: ref.digest }
}

function follow(
  ref: ObjectRef,
  version: StoredVersion | undefined,
  values: ReadonlyMap<string, unknown>,
  projectId: string,
): ResolvedRef | ObjectRef {
  if (version === undefined) return { status: 'unknown', digest: ref.digest }
  if (version.deleted_at !== null) return { status: 'deleted' }
  if (!values.has(version.digest)) return { status: 'unknown', digest: ref.digest }
  const followed = followEdges(values.get(version.digest), ref.edges, projectId)
  return followed.status === 'ref' ? followed.ref : followed
}

function invalid(reason: string): ResolvedRef {
  return { status: 'invalid', reason: reason.slice(0, 500) }
}
