import { createPropertyNames } from '../grammar/property-names.ts'
import { admits } from './admits.ts'
import type { CompileAll } from './compile-arrays.ts'
import { compilePatterns, type PatternContext } from './compile-strings.ts'
import type { SchemaPart } from './conjunction.ts'
import { readNameRule } from './name-rule.ts'
import { anyName, createNames } from '../grammar/name-automaton.ts'
import { fewStrings } from './few-strings.ts'
import { type PatternState, stateBehind } from '../grammar/pattern-automaton.ts'
import { readBounds } from './read-bounds.ts'
import { placeOf, SchemaError } from '../grammar/schema-error.ts'
import { isSchemaObject, type SchemaObject } from './schema-keywords.ts'
import type { ObjectNode, OtherProperties, SchemaNode } from '../grammar/schema-node.ts'

/** Most properties of one object, including those named only by patterns if these are few. */
export const maxProperties = 1_000

/** Patterns of names in one object. */
const maxNamePatterns = 16

export interface ObjectContext extends PatternContext {
  compileAll: CompileAll
  countCharacters: (text: string) => void
}

/** The objects that all parts allow. */
export function compileObjects(parts: readonly SchemaPart<SchemaObject>[], context: ObjectContext): ObjectNode {
  return new ObjectCompiler(parts, context).compile()
}

interface NamePattern {
  start: PatternState | null
  value: SchemaPart
}

/** One part's constraints on values. */
interface Values {
  known: SchemaObject
  pointer: string
  patterns: readonly NamePattern[]
  /** Undefined: any. */
  additional: SchemaPart | undefined
}

class ObjectCompiler {
  readonly #parts: readonly SchemaPart<SchemaObject>[]
  readonly #context: ObjectContext
  readonly #values: readonly Values[]

  constructor(parts: readonly SchemaPart<SchemaObject>[], context: ObjectContext) {
    this.#parts = parts
    this.#context = context
    this.#values = parts.map((part) => this.#valuesOf(part))
  }

  compile(): ObjectNode {
    const required = new Set(this.#parts.flatMap(requiredOf))
    const rule = readNameRule(this.#parts, this.#context)
    const others = this.#others(rule.automata, rule.isTaken)
    const named = [...this.#values.flatMap(({ known }) => Object.keys(known)), ...required, ...rule.names]
    const few = others === null ? [] : others.start === anyName ? null : fewStrings(others.start)
    const names = this.#bounded([...new Set([...named, ...(few ?? [])])])
    return {
      kind: 'object',
      names: createPropertyNames(names, this.#context.size),
      values: names.map((name) => (rule.node !== null && !admits(rule.node, name) ? null : this.#valueOf(name))),
      required: names.reduce((bits, name, place) => (required.has(name) ? bits | (1n << BigInt(place)) : bits), 0n),
      others: few === null ? others : null,
      ...readBounds(this.#parts, 'minProperties', 'maxProperties'),
    }
  }

  #bounded(names: string[]): string[] {
    if (names.length > maxProperties) {
      throw new SchemaError(`${placeOf(this.#parts[0]!.pointer)} has ${names.length} properties; ${maxProperties} are possible`)
    }
    for (const name of names) this.#context.countCharacters(name)
    this.#context.size.addTransitions(names.length)
    return names
  }

  #valuesOf({ schema, pointer }: SchemaPart<SchemaObject>): Values {
    const additional = schema['additionalProperties']
    const patterns = Object.entries(objectOf(schema, 'patternProperties', pointer)).flatMap(([pattern, value]): NamePattern[] => {
      const place = `${pointer}/patternProperties/${escapePart(pattern)}`
      const start = compilePatterns([pattern], place, this.#context)
      return start === undefined ? [] : [{ start, value: { schema: value, pointer: place } }]
    })
    return {
      known: objectOf(schema, 'properties', pointer),
      pointer,
      patterns,
      additional: additional === undefined ? undefined : { schema: additional, pointer: `${pointer}/additionalProperties` },
    }
  }

  #valueOf(name: string): SchemaNode {
    const schemas = this.#values.flatMap(({ known, pointer, patterns, additional }) => {
      const own = Object.hasOwn(known, name) ? [{ schema: known[name], pointer: `${pointer}/properties/${escapePart(name)}` }] : []
      const matching = patterns.filter(({ start }) => start !== null && stateBehind(start, name)?.isEnd === true)
      const all = [...own, ...matching.map(({ value }) => value)]
      return all.length === 0 && additional !== undefined ? [additional] : all
    })
    return this.#context.compileAll(schemas)
  }

  /** Names that no property has, by which patterns take them. */
  #others(rule: readonly PatternState[], isTaken: (taken: number) => boolean): OtherProperties | null {
    const patterns = this.#values.flatMap((values) => values.patterns.map((pattern) => ({ ...pattern, of: values })))
    if (patterns.length + rule.length > maxNamePatterns) {
      throw new SchemaError(`${placeOf(this.#parts[0]!.pointer)} has more than ${maxNamePatterns} patterns of names`)
    }
    const values: SchemaNode[] = []
    const kinds = new Map<number, number | null>()
    const addKind = (taken: number): number | null => {
      if (!isTaken(taken)) return null
      const schemas = this.#values.flatMap((each) => {
        const matching = patterns.filter(({ of }, at) => of === each && (taken & (1 << (rule.length + at))) !== 0).map(({ value }) => value)
        return matching.length === 0 && each.additional !== undefined ? [each.additional] : matching
      })
      return schemas.some(({ schema }) => schema === false) ? null : values.push(this.#context.compileAll(schemas)) - 1
    }
    const kindOf = (taken: number) => {
      if (!kinds.has(taken)) kinds.set(taken, addKind(taken))
      return kinds.get(taken)!
    }
    const isAny = patterns.length + rule.length === 0
    const start = isAny
      ? kindOf(0) === null
        ? null
        : anyName
      : createNames([...rule, ...patterns.map((pattern) => pattern.start)], kindOf, this.#context.size)
    return start === null ? null : { start, values }
  }
}

function requiredOf({ schema: { required = [] }, pointer }: SchemaPart<SchemaObject>): string[] {
  if (Array.isArray(required) && required.every((name) => typeof name === 'string')) return required
  throw new SchemaError(`${placeOf(pointer)} has a "required" that is not a list of names`)
}

function objectOf(schema: SchemaObject, keyword: string, pointer: string): SchemaObject {
  const value = schema[keyword] ?? {}
  if (isSchemaObject(value)) return value
  throw new SchemaError(`${placeOf(pointer)} has "${keyword}" that are not an object`)
}

function escapePart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}
