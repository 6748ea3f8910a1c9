import { isApart } from './is-apart.ts'
import { negate } from './negate.ts'
import { resolveReference } from './resolve-reference.ts'
import { placeOf, SchemaError, shownValue } from '../grammar/schema-error.ts'
import { assertionsOf, isSchemaObject, refusedKeywords, type SchemaObject } from './schema-keywords.ts'

/** Called for a keyword that is not enforced, with an alternative. @throws SchemaError unless such keywords are ignored */
export type Refuse = (what: string, pointer: string, wayOut?: string) => void

/** A schema, and where it is in the document, for messages. */
export interface SchemaPart<Schema = unknown> {
  schema: Schema
  pointer: string
}

/** Schemas of which one holds. */
export interface Alternatives {
  /** Equal for the same alternatives, also when they are reached by another way. */
  id: string
  of: readonly SchemaPart[]
}

/** What holds for one value: all of the parts, and one of each of the alternatives. */
export interface Conjunction {
  /** Except references and combinations, in the order of the document. */
  parts: readonly SchemaPart<SchemaObject>[]
  choices: readonly Alternatives[]
}

export const nothingYet: Conjunction = { parts: [], choices: [] }

/** Keywords that are split up. */
export const combinations: ReadonlySet<string> = new Set([
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentRequired',
])

const orNull = { type: 'null' }

/** More alternatives than this are not made to exclude each other where they could meet. */
const maxExclusive = 8

interface Expansion {
  parts: SchemaPart<SchemaObject>[]
  choices: Alternatives[]
  done: Set<SchemaObject>
  /** Schemas that are being expanded: one that contains itself here holds for no value. */
  open: Set<SchemaObject>
}

/** Splits schemas into conjunctions: references are followed, and constraints from several schemas apply together. */
export class ConjunctionReader {
  readonly #root: unknown
  readonly #refuse: Refuse
  readonly #ids = new Map<object, number>()
  /** Schemas derived from a keyword of another schema. */
  readonly #made = new Map<SchemaObject, Map<string, unknown>>()

  constructor(root: unknown, refuse: Refuse) {
    this.#root = root
    this.#refuse = refuse
  }

  /** Equal for conjunctions of the same schemas. */
  keyOf({ parts, choices }: Conjunction): string {
    const ids = parts.map(({ schema }) => this.#idOf(schema)).sort((a, b) => a - b)
    return `${ids.join()}|${choices
      .map(({ id }) => id)
      .sort()
      .join()}`
  }

  /** Null when nothing can fulfil it. @throws SchemaError for a value that no keyword may have */
  add(given: Conjunction, added: readonly SchemaPart[]): Conjunction | null {
    const expansion: Expansion = {
      parts: [...given.parts],
      choices: [...given.choices],
      done: new Set(given.parts.map(({ schema }) => schema)),
      open: new Set(),
    }
    return added.every((part) => this.#expand(part, expansion)) ? expansion : null
  }

  /** False when nothing can fulfil the schema. */
  #expand({ schema, pointer }: SchemaPart, into: Expansion): boolean {
    if (schema === true) return true
    if (schema === false) return false
    if (!isSchemaObject(schema)) {
      throw new SchemaError(`${placeOf(pointer)} is ${shownValue(schema)}; it must be an object, true or false`)
    }
    if (into.open.has(schema)) return false
    if (into.done.has(schema)) return true
    into.open.add(schema)
    const isPossible = this.#expandKeywords({ schema, pointer }, into)
    into.open.delete(schema)
    into.done.add(schema)
    return isPossible
  }

  #expandKeywords({ schema, pointer }: SchemaPart<SchemaObject>, into: Expansion): boolean {
    if (schema['nullable'] === true) {
      const other = this.#madeOf(schema, 'nullable', () => ({ ...schema, nullable: undefined }))
      return this.#choose(
        {
          id: `${this.#idOf(schema)}.nullable`,
          of: [
            { schema: orNull, pointer },
            { schema: other, pointer },
          ],
        },
        into,
      )
    }
    let hasOwn = false
    for (const keyword of assertionsOf(schema)) {
      if (Object.hasOwn(refusedKeywords, keyword)) {
        this.#refuse(`"${keyword}"`, pointer, refusedKeywords[keyword])
      } else if (!combinations.has(keyword)) {
        if (!hasOwn) into.parts.push({ schema, pointer })
        hasOwn = true
      } else if (!this.#expandCombination({ schema, pointer }, keyword, into)) return false
    }
    return true
  }

  #expandCombination({ schema, pointer }: SchemaPart<SchemaObject>, keyword: string, into: Expansion): boolean {
    const value = schema[keyword]
    switch (keyword) {
      case '$ref':
        return this.#expand({ schema: resolveReference(this.#root, value, pointer), pointer: String(value).slice(1) }, into)
      case 'allOf':
        return schemaList(value, keyword, pointer).every((each) => this.#expand(each, into))
      case 'anyOf':
        return this.#choose({ id: `${this.#idOf(schema)}.anyOf`, of: schemaList(value, keyword, pointer) }, into)
      case 'oneOf':
        return this.#choose({ id: `${this.#idOf(schema)}.oneOf`, of: this.#exclusive(schema, pointer) }, into)
      case 'not':
        return this.#expand({ schema: this.#madeOf(schema, keyword, () => this.#negated(value, pointer)), pointer: `${pointer}/not` }, into)
      case 'if':
        return this.#choose({ id: `${this.#idOf(schema)}.if`, of: this.#branches(schema, pointer) }, into)
      case 'dependentRequired':
        return this.#expand({ schema: this.#madeOf(schema, keyword, () => dependenciesOf(value, pointer)), pointer }, into)
      default:
        // `then` and `else` are taken with `if`.
        return true
    }
  }

  #choose(alternatives: Alternatives, into: Expansion): boolean {
    if (alternatives.of.length === 1) return this.#expand(alternatives.of[0]!, into)
    if (!into.choices.some(({ id }) => id === alternatives.id)) into.choices.push(alternatives)
    return true
  }

  #negated(value: unknown, pointer: string): unknown {
    const negation = negate(value, { root: this.#root, pointer: `${pointer}/not` })
    if (negation !== null) return negation.schema
    this.#refuse('"not" of more than can be turned round', pointer, 'say what is valid in its place')
    return true
  }

  /** Each alternative with the negation of all others, if that can be expressed. */
  #exclusive(schema: SchemaObject, pointer: string): SchemaPart[] {
    const list = schemaList(schema['oneOf'], 'oneOf', pointer)
    if (list.length > maxExclusive) return list
    return list.map((own) => {
      const made = this.#madeOf(schema, own.pointer, () => {
        const others = list.filter((other) => other !== own && !isApart(own.schema, other.schema, this.#root))
        const negations = others.map((other) => negate(other.schema, { root: this.#root, pointer: other.pointer }))
        const held = negations.filter((negation) => negation !== null && negation.alternatives <= maxExclusive)
        return held.length === 0 ? own.schema : { allOf: [own.schema, ...held.map((negation) => negation!.schema)] }
      })
      return { schema: made, pointer: own.pointer }
    })
  }

  #branches(schema: SchemaObject, pointer: string): SchemaPart[] {
    const { if: condition, then = true, else: otherwise = true } = schema
    if (then === true && otherwise === true) return [{ schema: true, pointer }]
    const otherwiseOf = this.#madeOf(schema, 'else', () => {
      const negation = negate(condition, { root: this.#root, pointer: `${pointer}/if` })
      if (negation !== null) return { allOf: [negation.schema, otherwise] }
      this.#refuse('"if" of more than can be turned round', pointer, 'use "anyOf" of the cases')
      return true
    })
    const thenOf = this.#madeOf(schema, 'then', () => ({ allOf: [condition, then] }))
    return [
      { schema: thenOf, pointer },
      { schema: otherwiseOf, pointer },
    ]
  }

  #madeOf(schema: SchemaObject, keyword: string, make: () => unknown): unknown {
    const made = this.#made.get(schema) ?? new Map<string, unknown>()
    this.#made.set(schema, made)
    if (!made.has(keyword)) made.set(keyword, make())
    return made.get(keyword)
  }

  #idOf(schema: object): number {
    const known = this.#ids.get(schema)
    if (known !== undefined) return known
    this.#ids.set(schema, this.#ids.size)
    return this.#ids.size - 1
  }
}

function schemaList(value: unknown, keyword: string, pointer: string): SchemaPart[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new SchemaError(`${placeOf(pointer)} has an "${keyword}" that is not a list of schemas`)
  return value.map((schema: unknown, index) => ({ schema, pointer: `${pointer}/${keyword}/${index}` }))
}

/** For each name, an object without it, or with the names it requires. */
function dependenciesOf(value: unknown, pointer: string): unknown {
  if (!isSchemaObject(value) || !Object.values(value).every((names) => Array.isArray(names))) {
    throw new SchemaError(`${placeOf(pointer)} has a "dependentRequired" that is not an object of lists of names`)
  }
  const each = Object.entries(value).map(([name, names]) => ({ anyOf: [{ properties: { [name]: false } }, { required: names }] }))
  return each.length === 0 || { allOf: each }
}
