import { badRequest } from '@heddle/core-api/internal'
import { bind, join, sql, type Sql } from '@heddle/datastore'
import { createFeedbackJoins } from '../feedback-text.ts'
import type { FieldReader } from '../../compile/compile-expression.ts'
import type { ValueOperand } from '../../compile/operands/operand.ts'
import { isBelow, parseExpandColumns } from '../expand-columns.ts'
import { joinThreadsOfTraces, threadsOfCall } from '../../derived-conditions.ts'
import { createQueueMembership, type QueueCalls } from '../queue-membership.ts'
import { readColumn } from './read-column.ts'
import {
  indexedText,
  isOutsideIndex,
  isUnindexed,
  nameOf,
  payloadOperand,
  storedText,
  writtenIn,
  type PayloadPath,
} from './read-payload.ts'
import { createReferenceJoins, referencedOperand, type ReferencePlace } from './read-reference.ts'
import type { ReferenceSource } from '../reference-parts.ts'
import { resolveField } from '../resolve-field.ts'
import type { HiddenRecords } from '../../visible-records.ts'

const maxPayloadPaths = 200

export interface CallReaderOptions {
  /** `entity/project` whose feedback is read. */
  projectId: string
  /** Whether the query is of traces by their roots: then a status is that of the trace. */
  ofTraces: boolean
  /** Paths of refs; values below them are read from the referenced object. */
  expandColumns: readonly string[]
}

/** The context of one statement apart from the query. */
export interface StatementContext {
  references: ReferenceSource
  /** True if the index of some row may lack the value at the path. */
  mayBeUnindexed: (path: PayloadPath) => boolean
  /** The calls of the queues in use. */
  queueCalls: QueueCalls
  /** What deletions of the project hide. */
  hidden: HiddenRecords
}

/** The frame of a statement around the expressions. */
export interface StatementFrame {
  /** Named parts of the expressions, for the start of the statement: `WITH …`, or nothing. */
  definitions: Sql
  joins: Sql
  /** Conditions without which index-only reads would be wrong for rows that arrived after the unindexed paths were looked up. */
  guards: Sql[]
}

/** Reads the fields of calls. The expressions read payloads and queues by names, which the frame of each statement defines. */
export interface CallReader {
  read: FieldReader
  /** The indexed paths that were read, in order. */
  indexedPaths(): PayloadPath[]
  frame(context: StatementContext): StatementFrame
  /** A statement with rows `{ ref }` of all texts that may be refs to rows of tables; undefined where nothing is read through such. */
  refsToRows(context: StatementContext): Sql | undefined
  /** Ids of the queues in use. */
  queues(): string[]
}

/** @throws 400 above 100 `expandColumns`. */
export function createCallReader({ projectId, ofTraces, expandColumns }: CallReaderOptions): CallReader {
  const through = createReferenceJoins()
  const feedback = createFeedbackJoins(projectId)
  const queueMembership = createQueueMembership()
  const refPositions = parseExpandColumns(expandColumns)
  const paths = new Map<string, { at: number; path: PayloadPath }>()
  let readsThreads = false

  // A value is mentioned several times, and the engine takes long to read long statements.
  const payloadValue = (path: PayloadPath): Sql => {
    const name = nameOf(path)
    const at = paths.get(name)?.at ?? paths.size
    paths.set(name, { at, path })
    if (paths.size > maxPayloadPaths)
      throw badRequest(`The query reads more than ${maxPayloadPaths} different payload paths: ask for fewer`)
    return sql`${bind('Identifier', `payload_${at}`)}`
  }
  const refsAt = (path: PayloadPath): ReferencePlace => ({
    ref: payloadValue(path),
    // Names of the statement are not known inside another one.
    all: ({ textOf }) =>
      sql`SELECT DISTINCT ifNull(${textOf(path)}, '') AS ref FROM heddle.calls WHERE project_id = ${bind('String', projectId)}`,
    leadsToRows: true,
  })
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
  const pathsRead = () => [...paths.values()].map(({ path }) => path)
  const indexedPaths = () => pathsRead().filter((path) => !isOutsideIndex(path))
  const referencesIn = (context: StatementContext) => ({
    source: context.references,
    textOf: (path: PayloadPath) => textAt(path, context),
  })

  return {
    read(text) {
      const field = resolveField(text)
      switch (field.kind) {
        case 'column':
          if (!ofTraces || field.name !== 'thread_id') return readColumn(field.name, { projectId, ofTraces })
          readsThreads = true
          return { kind: 'texts', sql: threadsOfCall, isColumn: true }
        case 'payload':
          return readPayload(field)
        case 'feedback':
          return feedback.read(field)
        case 'queue':
          return queueMembership
      }
    },
    indexedPaths,
    frame: (context) => ({
      definitions: withNames([
        ...pathsRead().map((path, at) => sql`${textAt(path, context)} AS ${bind('Identifier', `payload_${at}`)}`),
        ...queueMembership.definitions(context.queueCalls),
      ]),
      joins: join(
        [
          ...through.joins(referencesIn(context)),
          ...feedback.joins(context.hidden),
          ...(readsThreads ? [joinThreadsOfTraces(projectId)] : []),
        ],
        sql``,
      ),
      guards: indexedPaths()
        .filter((path) => !context.mayBeUnindexed(path))
        .map((path) => sql`NOT ${isUnindexed(path)}`),
    }),
    refsToRows: (context) => through.refsToRows(referencesIn(context)),
    queues: () => queueMembership.requested(),
  }
}

/** The text at a path of a call, as Nullable(String). */
function textAt(path: PayloadPath, { mayBeUnindexed }: StatementContext): Sql {
  if (isOutsideIndex(path)) return storedText(path)
  return mayBeUnindexed(path) ? sql`if(${isUnindexed(path)}, ${storedText(path)}, ${indexedText(path)})` : indexedText(path)
}

function withNames(definitions: Sql[]): Sql {
  return definitions.length === 0 ? sql`` : sql`WITH ${join(definitions, sql`, `)} `
}
