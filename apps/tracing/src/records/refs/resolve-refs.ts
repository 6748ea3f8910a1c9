import { type ObjectRef, parseRef } from '@heddle/core-api'
import type { ProjectScope } from '@heddle/identity'
import { parseJson } from '@heddle/json'
import type { TableRowsStore } from '../tables/table-rows-store.ts'
import type { TablesStore } from '../tables/tables-store.ts'
import { parseDigestArgument } from '../objects/versions/digest-argument.ts'
import { type PathEnd, followEdges, type RowPlace } from './follow-edges.ts'
import type { ObjectValuesStore } from '../objects/values/object-values-store.ts'
import type { ObjectsStore, StoredVersion } from '../objects/objects-store.ts'

/** References that one path may run through. */
const maxHops = 20

/** The target of a reference. `deleted` and `unknown` refer to the version or the row that it names, or to one on the path. */
export type ResolvedRef =
  | { status: 'found'; value: unknown }
  | { status: 'deleted' }
  | { status: 'unknown'; kind: 'object' | 'row'; digest: string }
  | { status: 'invalid'; reason: string }

/**
 * Reads the targets of references to objects, ops and table rows of one project, by reference text; each once, however often it is given. References
 * inside a value are unchanged. A reference into another project is `unknown` here: open that project and resolve it there.
 */
export type ResolveRefs = (project: ProjectScope, refs: Iterable<string>) => Promise<Map<string, ResolvedRef>>

interface ResolveRefsDeps {
  objects: ObjectsStore
  values: ObjectValuesStore
  tables: Pick<TablesStore, 'findRows'>
  rows: Pick<TableRowsStore, 'read'>
}

/** The next value to read on the path of a reference. */
type Next = ObjectRef | RowPlace

export function createResolveRefs({ objects, values, tables, rows }: ResolveRefsDeps): ResolveRefs {
  /** Values of versions, each parsed once. */
  async function readValues(project: ProjectScope, versions: readonly (StoredVersion | undefined)[]): Promise<Map<string, unknown>> {
    const digests = versions.flatMap((version) => (version && version.deleted_at === null ? [version.digest] : []))
    return parsed(await values.read(project, [...new Set(digests)]))
  }

  async function stepThroughObjects(project: ProjectScope, refs: readonly [string, ObjectRef][]): Promise<[string, ResolvedRef | Next][]> {
    if (refs.length === 0) return []
    const wanted = refs.map(([, { name, digest }]) => ({ object_id: name, argument: parseDigestArgument(digest) }))
    const versions = await objects.findVersions(project, wanted)
    const found = await readValues(project, versions)
    return refs.map(([text, ref], index) => [text, follow(ref, versions[index], found, project.id)])
  }

  async function stepThroughRows(project: ProjectScope, places: readonly [string, RowPlace][]): Promise<[string, ResolvedRef | Next][]> {
    if (places.length === 0) return []
    const listed = await tables.findRows(
      project,
      places.map(([, place]) => place),
    )
    const isListed = new Set(listed.map(keyOf))
    const wanted = places.map(([, place]) => place).filter((place) => isListed.has(keyOf(place)))
    const found = parsed(
      await rows.read(
        project,
        wanted.map(({ row_digest }) => row_digest),
      ),
    )
    return places.map(([text, place]) => {
      const { row_digest } = place
      if (!isListed.has(keyOf(place)) || !found.has(row_digest)) return [text, { status: 'unknown', kind: 'row', digest: row_digest }]
      return [text, toNext(followEdges(found.get(row_digest), place.edges, project.id))]
    })
  }

  /** One step of all paths: their targets, or the next values on them. */
  async function step(project: ProjectScope, pending: ReadonlyMap<string, Next>): Promise<[string, ResolvedRef | Next][]> {
    const refs: [string, ObjectRef][] = []
    const places: [string, RowPlace][] = []
    for (const [text, next] of pending) {
      if ('row_digest' in next) places.push([text, next])
      else refs.push([text, next])
    }
    const [throughObjects, throughRows] = await Promise.all([stepThroughObjects(project, refs), stepThroughRows(project, places)])
    return [...throughObjects, ...throughRows]
  }

  return async (project, refs) => {
    const resolved = new Map<string, ResolvedRef>()
    let pending = new Map<string, Next>()
    for (const text of refs) {
      const read = readRef(text, project.id)
      if ('status' in read) resolved.set(text, read)
      else pending.set(text, read)
    }
    for (let hop = 0; pending.size > 0 && hop < maxHops; hop++) {
      const through = new Map<string, Next>()
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

function keyOf({ table_digest, row_digest }: Pick<RowPlace, 'table_digest' | 'row_digest'>): string {
  return JSON.stringify([table_digest, row_digest])
}

function parsed(texts: ReadonlyMap<string, string>): Map<string, unknown> {
  return new Map([...texts].map(([digest, json]) => [digest, parseJson(json, { loneSurrogates: 'keep' })]))
}

function readRef(text: string, projectId: string): ResolvedRef | Next {
  const ref = parseRef(text)
  if (ref === undefined) return invalid(`${text} is not a reference`)
  if (ref.kind === 'call') return invalid(`${text} leads to a call; only objects, ops and rows of tables can be read here`)
  if (ref.kind === 'table' && ref.rowDigest === null)
    return invalid(`${text} leads to a whole table; add /id/ and the digest of a row, or read it with /table/query`)
  if (`${ref.entity}/${ref.project}` !== projectId) {
    return { status: 'unknown', kind: ref.kind === 'table' ? 'row' : 'object', digest: ref.digest }
  }
  if (ref.kind !== 'table') return ref
  return { table_digest: ref.digest, row_digest: ref.rowDigest ?? '', edges: [] }
}

function follow(
  ref: ObjectRef,
  version: StoredVersion | undefined,
  values: ReadonlyMap<string, unknown>,
  projectId: string,
): ResolvedRef | Next {
  if (version === undefined) return { status: 'unknown', kind: 'object', digest: ref.digest }
  if (version.deleted_at !== null) return { status: 'deleted' }
  if (!values.has(version.digest)) return { status: 'unknown', kind: 'object', digest: ref.digest }
  return toNext(followEdges(values.get(version.digest), ref.edges, projectId))
}

function toNext(followed: PathEnd): ResolvedRef | Next {
  switch (followed.status) {
    case 'ref':
      return followed.ref
    case 'row':
      return followed.row
    case 'found':
    case 'invalid':
      return followed
  }
}

function invalid(reason: string): ResolvedRef {
  return { status: 'invalid', reason: reason.slice(0, 500) }
}
