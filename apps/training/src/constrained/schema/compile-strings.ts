import type { CompiledSize } from '../grammar/compiled-size.ts'
import type { Refuse, SchemaPart } from './conjunction.ts'
import { createPatternAutomaton, type PatternState } from '../grammar/pattern-automaton.ts'
import { PatternError } from '../grammar/pattern-error.ts'
import { readPattern } from '../grammar/pattern-positions.ts'
import { readBounds } from './read-bounds.ts'
import { placeOf, SchemaError, shownValue } from '../grammar/schema-error.ts'
import type { SchemaObject } from './schema-keywords.ts'
import type { SchemaNode } from '../grammar/schema-node.ts'
import { formatsBesidePatterns, impliedPatterns, stringFormats } from './string-formats.ts'

export interface PatternContext {
  size: CompiledSize
  refuse: Refuse
  /** Patterns that are not held are passed over. */
  ignoresUnsupported: boolean
}

/** The strings that all parts allow. */
export function compileStrings(parts: readonly SchemaPart<SchemaObject>[], context: PatternContext): SchemaNode {
  const bounds = readBounds(parts, 'minLength', 'maxLength')
  const patterns = new Map(parts.flatMap(({ schema, pointer }) => patternsOf(schema).map((text) => [text, pointer])))
  // Generators add their own formats to the patterns that these abbreviate.
  if (!parts.some(({ schema }) => schema['pattern'] !== undefined)) for (const part of parts) refuseFormat(part, context.refuse)
  const plain: SchemaNode = { kind: 'string', bounds }
  if (patterns.size === 0 || bounds.min > bounds.max) return plain
  const start = compilePatterns([...patterns.keys()], [...patterns.values()][0]!, { ...context, bounds })
  return start === undefined ? plain : { kind: 'pattern', start, max: bounds.max }
}

function patternsOf({ pattern, format }: SchemaObject): unknown[] {
  if (!isKnownFormat(format)) return pattern === undefined ? [] : [pattern]
  if (pattern === undefined || pattern === impliedPatterns[format]) return [stringFormats[format]]
  return [pattern, formatsBesidePatterns[format] ?? stringFormats[format]]
}

function refuseFormat({ schema: { format }, pointer }: SchemaPart<SchemaObject>, refuse: Refuse): void {
  if (format === undefined || isKnownFormat(format)) return
  refuse(`"format" ${shownValue(format)}`, pointer, 'say what its texts are with "pattern", beside it or in its place')
}

function isKnownFormat(format: unknown): format is string {
  return typeof format === 'string' && Object.hasOwn(stringFormats, format)
}

/** Null if there is no such string, undefined if the patterns are ignored. @throws SchemaError for unsupported patterns */
export function compilePatterns(
  patterns: readonly unknown[],
  pointer: string,
  { size, ignoresUnsupported, bounds = { min: 0, max: Infinity } }: PatternContext & { bounds?: { min: number; max: number } },
): PatternState | null | undefined {
  try {
    return createPatternAutomaton(patterns.map(readPattern), bounds, size)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    if (ignoresUnsupported) return undefined
    throw new SchemaError(`${placeOf(pointer)} has ${error.message}`, { cause: error })
  }
}
