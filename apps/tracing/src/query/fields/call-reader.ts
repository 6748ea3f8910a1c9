import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import { createFeedbackJoins } from './feedback-text.ts'
import type { ReadField } from '../compile/compile-expression.ts'
import type { ValueOperand } from '../compile/operand.ts'
import { parsePath } from './parse-path.ts'
import { createQueueMembership, type QueueCalls } from './queue-membership.ts'
import { readColumn } from './read-column.ts'
import { hasGap, indexedText, isOutsideIndex, payloadOperand, storedText, writtenIn, type PayloadPath } from './read-payload.ts'
import { createReferenceJoins, referencedOperand, type ReferencePlace } from './read-reference.ts'
import type { ReferenceSource } from './reference-parts.ts'
import { resolveField } from './resolve-field.ts'

const maxExpandColumns = 100
const maxPayloadPaths = 200

export interface CallReaderOptions {
  references: ReferenceSource
  /** Paths at which a ref stands; what lies below is read from the referenced object. */
  expandColumns: readonly string[]
  /** True when the index of some row may not tell the value at the path. */
  mayHaveGap: (path: PayloadPath) => boolean
  /** The calls of the queues that are asked for. */
  queueCalls: QueueCalls
}

/** Reads the fields of calls, and remembers what the statement needs around the expressions. */
export interface CallReader {
  read: ReadField
  /** The indexed paths that were read, in order. */
  indexedPaths(): PayloadPath[]
  /** Conditions without which index-only reads would be wrong for rows that came after the gaps were looked up. */
  guards(): Sql[]
  joins(): Sql[]
  /** A statement with rows `{ ref }` of all texts that may be refs to rows of tables; undefined where nothing is read through such. */
  refsToRows(): Sql | undefined
  /** Ids of the queues whose calls are asked for. */
  queues(): string[]
  /** Texts that the expressions read by name, for the start of the statement: `WITH …`, or nothing. */
  definitions(): Sql
}

/** @throws 400 above 100 `expandColumns`. */
export function createCallReader({ references, expandColumns, mayHaveGap, queueCalls }: CallReaderOptions): CallReader {
  const through = createReferenceJoins(references)
  const feedback = createFeedbackJoins(references.projectId)
  const queueMembership = createQueueMembership(queueCalls)
  const refPositions = parseExpandColumns(expandColumns)
  const paths = new Map<string, PayloadPath>()
  const named = new Map<string, Sql>()

  const payloadValue = (path: PayloadPath): Sql => {
    if (isOutsideIndex(path)) return byName(path, () => storedText(path))
    paths.set(nameOf(path), path)
    return mayHaveGap(path) ? byName(path, () => sql`if(${hasGap(path)}, ${storedText(path)}, ${indexedText(path)})`) : indexedText(path)
  }
  // A value is mentioned several times, and the engine takes long to read long statements.
  const byName = (path: PayloadPath, define: () => Sql): Sql => {
    const name = nameOf(path)
    if (!named.has(name)) named.set(name, define())
    if (named.size > maxPayloadPaths)
      throw badRequest(`The query reads more than ${maxPayloadPaths} different payload paths: ask for fewer`)
    return sql`${bind('Identifier', `payload_${[...named.keys()].indexOf(name)}`)}`
  }
  const refsAt = (path: PayloadPath): ReferencePlace => {
    const ref = payloadValue(path)
    // Names of the statement are not known inside another one.
    const text = named.get(nameOf(path)) ?? ref
    const all = sql`SELECT DISTINCT ifNull(${text}, '') AS ref FROM heddle.calls WHERE project_id = ${bind('String', references.projectId)}`
    return { ref, all, leadsToRows: true }
  }
  const readPayload = (path: PayloadPath): ValueOperand => {
    const [first, ...later] = refPositions.filter((position) => isBelow(path, position))
    if (first === undefined) return payloadOperand(payloadValue(path), writtenIn(path))
    const start = { at: first.segments.length, place: refsAt(first), name: nameOf(first) }
    const end = [...later, path].reduce((from, to) => {
      const name = `${from.name} ${nameOf(to)}`
      return { at: to.segments.length, name, place: through.through({ name, from: from.place, segments: to.segments.slice(from.at) }) }
    }, start)
    return referencedOperand(end.place.ref)
  }

  return {
    read(text) {
      const field = resolveField(text)
      switch (field.kind) {
        case 'column':
          return readColumn(field.name)
        case 'payload':
          return readPayload(field)
        case 'feedback':
          return feedback.read(field)
        case 'queue':
          return queueMembership
      }
    },
    indexedPaths: () => [...paths.values()],
    guards: () => [...paths.values()].filter((path) => !mayHaveGap(path)).map((path) => sql`NOT ${hasGap(path)}`),
    joins: () => [...through.joins(), ...feedback.joins()],
    refsToRows: () => through.refsToRows(),
    queues: () => queueMembership.asked(),
    definitions: () => withNames([...named.values()]),
  }
}

function withNames(values: Sql[]): Sql {
  if (values.length === 0) return sql``
  const definitions = values.map((value, index) => sql`${value} AS ${bind('Identifier', `payload_${index}`)}`)
  return sql`WITH ${join(definitions, sql`, `)} `
}

/** Payload paths, shallowest first. Entries that are no payload path expand nothing. */
function parseExpandColumns(columns: readonly string[]): PayloadPath[] {
  if (columns.length > maxExpandColumns)
    throw badRequest(`expand_columns has ${columns.length} entries, at most ${maxExpandColumns} are allowed`)
  const payloads = [...new Set(columns)].flatMap((column) => {
    const [root = '', ...segments] = parsePath(column)
    return isPayloadRoot(root) && segments.length > 0 ? [{ root, segments }] : []
  })
  return payloads.sort((a, b) => a.segments.length - b.segments.length)
}

function isPayloadRoot(root: string): root is PayloadPath['root'] {
  return root === 'inputs' || root === 'output' || root === 'attributes' || root === 'summary'
}

function isBelow(path: PayloadPath, position: PayloadPath): boolean {
  if (path.root !== position.root || path.segments.length <= position.segments.length) return false
  return position.segments.every((segment, index) => segment === path.segments[index])
}

/** One text per path, for equality. */
export function nameOf({ root, segments }: PayloadPath): string {
  return JSON.stringify([root, ...segments])
}
