import { bind, sql, type Sql } from '@heddle/datastore'
import { indexedPath, indexPath, isInRawSpan, rawSpanIsIndexed, unindexedEntries, type IndexedPath } from '../../index-path.ts'
import type { ValueOperand } from '../../compile/operands/operand.ts'
import { sharedLeavesMark, sharedPath } from '../../shared-leaves.ts'
import { payloadText } from '../payload-text.ts'
import { rawSpan } from '../raw-span.ts'
import type { PayloadRoot } from '../resolve-field.ts'

export interface PayloadPath {
  root: PayloadRoot
  segments: readonly string[]
}

/** One text per path, for equality. */
export function nameOf({ root, segments }: PayloadPath): string {
  return JSON.stringify([root, ...segments])
}

/** True if the index never contains the path: a whole payload, or a path that it always omits. */
export function isOutsideIndex({ root, segments }: PayloadPath): boolean {
  return indexedPath(root, segments) === undefined
}

function isOfRawSpan({ root, segments }: PayloadPath): boolean {
  return root === 'attributes' && segments[0] === 'otel_span'
}

/** @throws Error for a path outside the index. */
function inIndex({ root, segments }: PayloadPath): IndexedPath {
  const path = indexedPath(root, segments)
  if (path === undefined) throw new Error(`the index holds nothing at ${[root, ...segments].join('.')}`)
  return path
}

/** 1 if the index of a row lacks the value at a path that is not outside of it. */
export function isUnindexed(path: PayloadPath): Sql {
  const indexed = inIndex(path)
  const listed = sql`multiSearchAny(idx_gaps, ${bind('Array(String)', unindexedEntries(indexed))})`
  return isInRawSpan(indexed.root)
    ? sql`(NOT startsWith(idx_gaps, ${bind('String', `|${rawSpanIsIndexed}|`)}) OR ${listed})`
    : sql`(idx_gaps = '*' OR ${listed})`
}

/** The unindexed paths, between bars, any of which means that. */
export function unindexedEntriesOf(path: PayloadPath): string[] {
  return unindexedEntries(inIndex(path))
}

/** The text at a path from the index alone, as Nullable(String); right only in rows whose index has the path. */
export function indexedText(path: PayloadPath): Sql {
  const own = indexPath(inIndex(path))
  const shared = sharedPath(own)
  if (shared === undefined) return subcolumn(own)
  const isShared = sql`multiSearchAny(idx_gaps, ${bind('Array(String)', [`|${sharedLeavesMark}|`])})`
  return sql`ifNull(${subcolumn(own)}, if(${isShared}, ${subcolumn(shared)}, NULL))`
}

/** The name of a subcolumn makes the engine read that one; a function over the column would read all of it. */
function subcolumn(path: string): Sql {
  return sql`idx.${bind('Identifier', path)}.:String`
}

/** The text at a path from the payload itself, as Nullable(String). */
export function storedText(path: PayloadPath): Sql {
  const { root, segments } = path
  const column = payloadColumn(root)
  if (isOfRawSpan(path)) {
    return sql`if(otel = '', ${payloadText(column, segments)}, ${payloadText(rawSpan(segments), segments.slice(1))})`
  }
  return payloadText(column, segments)
}

/** The column that holds all that is read at the path; undefined where it is put together from several. */
export function writtenIn(path: PayloadPath): Sql | undefined {
  return isOfRawSpan(path) ? undefined : payloadColumn(path.root)
}

function payloadColumn(root: PayloadRoot): Sql {
  switch (root) {
    case 'inputs':
      return sql`inputs`
    case 'output':
      return sql`output`
    case 'attributes':
      return sql`attributes`
    case 'summary':
      return sql`summary`
  }
}

/** A field whose absence reads as the empty text. `value` is its Nullable(String), `column` the JSON text in which it is written. */
export function payloadOperand(value: Sql, column?: Sql): ValueOperand {
  return {
    kind: 'value',
    type: 'text',
    sql: sql`ifNull(${value}, '')`,
    present: sql`isNotNull(${value})`,
    isField: true,
    takesTypeOfLiteral: true,
    order: 'dynamic',
    writtenIn: column,
  }
}
