import { type ObjectRef, parseRef, type RefEdge, type TableRef } from '@heddle/core-api'
import { isJsonObject } from '@heddle/core-api/internal'

/** A row of a table, and the edges into its value. */
export interface RowPlace {
  table_digest: string
  row_digest: string
  edges: RefEdge[]
}

/** Where a path through a value ends: at a part of it, at a reference or a table row that must be read first, or nowhere. */
export type PathEnd =
  | { status: 'found'; value: unknown }
  | { status: 'ref'; ref: ObjectRef }
  | { status: 'row'; row: RowPlace }
  | { status: 'invalid'; reason: string }

const nothing: PathEnd = { status: 'found', value: null }

/**
 * Follows edges into a value. A missing member or position is null, and so is everything below null. Where a text on the way is an object
 * reference, the answer is that reference with the rest of the edges; where it is a table reference and the edge an `id`, that row. A reference
 * into another project than `projectId` is null.
 */
export function followEdges(root: unknown, edges: readonly RefEdge[], projectId: string): PathEnd {
  let value = root
  for (const [at, edge] of edges.entries()) {
    if (value === null) return nothing
    if (typeof value === 'string') return throughRef(value, edges.slice(at), projectId)
    const step = followEdge(value, edge)
    if (step.status !== 'found') return step
    value = step.value
  }
  return { status: 'found', value }
}

function followEdge(value: unknown, { name, value: place }: RefEdge): PathEnd {
  switch (name) {
    case 'attr':
    case 'key':
      if (!isJsonObject(value)) return mismatch(name, place, 'an object')
      return { status: 'found', value: Object.hasOwn(value, place) ? value[place] : null }
    case 'index':
      if (!Array.isArray(value)) return mismatch(name, place, 'a list')
      return { status: 'found', value: /^\d+$/.test(place) ? (value[Number(place)] ?? null) : null }
    case 'id':
      return mismatch(name, place, 'a table')
  }
}

function throughRef(text: string, edges: RefEdge[], projectId: string): PathEnd {
  const ref = parseRef(text)
  if (ref === undefined || ref.kind === 'call')
    return mismatch(edges[0]?.name ?? '', edges[0]?.value ?? '', 'an object or a reference to one')
  if (`${ref.entity}/${ref.project}` !== projectId) return nothing
  return ref.kind === 'table' ? throughTable(ref, edges) : { status: 'ref', ref: { ...ref, edges: [...ref.edges, ...edges] } }
}

function throughTable({ digest, rowDigest }: TableRef, edges: RefEdge[]): PathEnd {
  if (rowDigest !== null) return { status: 'row', row: { table_digest: digest, row_digest: rowDigest, edges } }
  const [first, ...rest] = edges
  if (first?.name !== 'id') return mismatch(first?.name ?? '', first?.value ?? '', 'an object')
  return { status: 'row', row: { table_digest: digest, row_digest: first.value, edges: rest } }
}

function mismatch(name: string, place: string, needed: string): PathEnd {
  return { status: 'invalid', reason: `the edge ${name}/${place} needs ${needed}, but the value there is not one` }
}
